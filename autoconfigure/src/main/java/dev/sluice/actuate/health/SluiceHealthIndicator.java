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
 * Returns whether the application handles messages: down while queues that are ready have
 * waited for too long for a worker, as all are busy, and while a store is unavailable
 * without which limits reject all calls. What waits in a queue that is paused, or behind
 * a task of its own, is a detail: it tells of one client. A matter of readiness or of an
 * alarm, never of liveness: a restart loses what waits.
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
