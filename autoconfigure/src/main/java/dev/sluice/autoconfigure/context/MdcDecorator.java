package dev.sluice.autoconfigure.context;

import java.util.Map;
import java.util.concurrent.Callable;

import dev.sluice.execution.TaskDecorator;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Propagates the logging context of the submitter to the task. */
final class MdcDecorator implements TaskDecorator {

	@Override
	public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
		Map<String, String> submitters = MDC.getCopyOfContextMap();
		if (submitters == null || submitters.isEmpty()) {
			return task;
		}
		return () -> {
			Map<String, String> before = MDC.getCopyOfContextMap();
			MDC.setContextMap(submitters);
			try {
				return task.call();
			}
			finally {
				restore(before);
			}
		};
	}

	private static void restore(@Nullable Map<String, String> before) {
		if (before != null) {
			MDC.setContextMap(before);
		}
		else {
			MDC.clear();
		}
	}

}
