package dev.sluice.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.execution.SequentialLeveledTaskExecutor;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Executors by the names that operators see. The executors of the sessions are named
 * {@code inbound} and {@code outbound}; any other executor has the name of its bean. A
 * bean of the application with one of these two names gets the prefix {@code
 * application}.
 */
public final class NamedExecutors {

	private static final Map<String, String> DISPLAY_NAMES = Map.of("sluiceInbound", "inbound", "sluiceOutbound",
			"outbound");

	private NamedExecutors() {
	}

	public static Map<String, SequentialLeveledTaskExecutor> of(ListableBeanFactory beans) {
		Map<String, SequentialLeveledTaskExecutor> executors = new LinkedHashMap<>();
		beans.getBeansOfType(SequentialLeveledTaskExecutor.class)
			.forEach((beanName, executor) -> executors.put(displayName(beanName), executor));
		return executors;
	}

	private static String displayName(String beanName) {
		String ofOthers = DISPLAY_NAMES.containsValue(beanName) ? "application." + beanName : beanName;
		return DISPLAY_NAMES.getOrDefault(beanName, ofOthers);
	}

}
