package dev.sluice.actuate.health;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.sluice.actuate.Seconds;
import dev.sluice.execution.ExecutorSnapshot;
import dev.sluice.execution.SequentialLeveledTaskExecutor;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports whether the application handles messages. The status is down while queues that
 * are ready have waited too long for a worker because all workers are busy, and while a
 * store is unavailable without which limits reject all calls. Messages in a queue that is
 * paused, or that waits for its own running task, are only a detail, because they concern
 * one client. Use this indicator for readiness or alarms, never for liveness: a restart
 * loses the waiting messages.
 */
class SluiceHealthIndicator extends AbstractHealthIndicator {

	private final Map<String, SequentialLeveledTaskExecutor> executors;

	private final Duration maxWait;

	private final List<HealthDetails> others;

	SluiceHealthIndicator(Map<String, SequentialLeveledTaskExecutor> executors, Duration maxWait,
			List<HealthDetails> others) {
		super("Queues and limits could not be looked at");
		this.executors = executors;
		this.maxWait = maxWait;
		this.others = List.copyOf(others);
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up().withDetail("maxWait", this.maxWait.toString());
		this.executors.forEach((name, executor) -> {
			ExecutorSnapshot snapshot = executor.snapshot(0);
			if (snapshot.workerWait().compareTo(this.maxWait) > 0) {
				builder.down();
			}
			builder.withDetail(name, details(snapshot));
		});
		this.others.forEach((details) -> details.addTo(builder));
	}

	private static Map<String, Object> details(ExecutorSnapshot snapshot) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("queues", snapshot.queues());
		details.put("waiting", snapshot.waitingHigh() + snapshot.waitingNormal());
		details.put("oldestWait", Seconds.of(snapshot.oldestWait()));
		details.put("workerWait", Seconds.of(snapshot.workerWait()));
		return details;
	}

}
