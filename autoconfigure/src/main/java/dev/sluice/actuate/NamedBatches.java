package dev.sluice.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.batch.BatchConsumer;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Batch consumers by the names that operators see. A consumer of a listener has the name
 * of its batch; any other consumer has the name of its bean. The prefix {@code
 * application} distinguishes a bean with the name of a batch or of the journal of sent
 * messages.
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
