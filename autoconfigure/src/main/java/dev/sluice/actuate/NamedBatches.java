package dev.sluice.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.batch.BatchConsumer;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Batch consumers by the names that operators see: those of listeners by the names of
 * their batches, others by the names of their beans, after the prefix {@code application}
 * where a batch has that name, or the journal of sent messages.
 */
public final class NamedBatches {

	private static final String JOURNAL = "journal";

	private static final String BEAN_PREFIX = "sluiceBatchConsumer.";

	private NamedBatches() {
	}

	public static Map<String, BatchConsumer<?>> of(ListableBeanFactory beans) {
		Map<String, BatchConsumer<?>> batches = new LinkedHashMap<>();
		beans.getBeansOfType(BatchConsumer.class)
			.forEach((beanName, consumer) -> batches.put(displayName(beans, beanName), consumer));
		return batches;
	}

	private static String displayName(ListableBeanFactory beans, String beanName) {
		if (beanName.startsWith(BEAN_PREFIX)) {
			return beanName.substring(BEAN_PREFIX.length());
		}
		boolean taken = beanName.equals(JOURNAL) || beans.containsBean(BEAN_PREFIX + beanName);
		return taken ? "application." + beanName : beanName;
	}

}
