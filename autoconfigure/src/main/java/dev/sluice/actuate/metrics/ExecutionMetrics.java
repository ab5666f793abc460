package dev.sluice.actuate.metrics;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import dev.sluice.execution.ExecutionListener;
import dev.sluice.execution.ExecutorSnapshot;
import dev.sluice.execution.Level;
import dev.sluice.execution.TaskOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

/**
 * Metrics of one {@link dev.sluice.execution.SequentialLeveledTaskExecutor} over all its
 * queues, tagged with its name. No tag identifies a queue. As the executor's listener it
 * fills
 * <ul>
 * <li>the timer {@code sluice.execution.wait}, from the submission of a task to its turn,
 * tagged with the {@code level} {@code high} or {@code normal};</li>
 * <li>the timer {@code sluice.execution.run}, of the task itself, its stage included,
 * tagged with the level and the {@code outcome} {@code completed} or {@code failed}.</li>
 * </ul>
 * {@link #monitor} adds the meters that are read from snapshots.
 *
 * @since 0.1.0
 */
public final class ExecutionMetrics implements ExecutionListener {

	private final Timer[] wait = new Timer[Level.values().length];

	private final Timer[] completed = new Timer[Level.values().length];

	private final Timer[] failed = new Timer[Level.values().length];

	/**
	 * Creates the metrics that need a listener.
	 * @param registry has the meters
	 * @param name the value of the tag {@code name}, unique among executors
	 */
	public ExecutionMetrics(MeterRegistry registry, String name) {
		for (Level level : Level.values()) {
			Tags tags = Tags.of("name", name, "level", lowerCase(level));
			this.wait[level.ordinal()] = Timer.builder("sluice.execution.wait")
				.description("Time from the submission of a task to its turn")
				.tags(tags)
				.register(registry);
			this.completed[level.ordinal()] = run(registry, tags, TaskOutcome.COMPLETED);
			this.failed[level.ordinal()] = run(registry, tags, TaskOutcome.FAILED);
		}
	}

	private static Timer run(MeterRegistry registry, Tags tags, TaskOutcome outcome) {
		return Timer.builder("sluice.execution.run")
			.description("Time that a task ran, its stage included")
			.tags(tags.and("outcome", lowerCase(outcome)))
			.register(registry);
	}

	@Override
	public void taskEnded(String queueId, Level level, TaskOutcome outcome, long waitNanos, long runNanos) {
		if (outcome == TaskOutcome.COMPLETED || outcome == TaskOutcome.FAILED) {
			this.wait[level.ordinal()].record(waitNanos, TimeUnit.NANOSECONDS);
			Timer[] run = (outcome == TaskOutcome.COMPLETED) ? this.completed : this.failed;
			run[level.ordinal()].record(runNanos, TimeUnit.NANOSECONDS);
		}
	}

	/**
	 * Adds the meters that are read from snapshots of an executor: the gauges {@code
	 * sluice.execution.queues}, {@code sluice.execution.waiting} (tasks, by {@code
	 * level}) and {@code sluice.execution.oldest.wait}, and the counters {@code
	 * sluice.execution.tasks}, of ended tasks by {@code outcome}, and {@code
	 * sluice.execution.listener.failures}. They need no listener. As a snapshot takes
	 * time in proportion to the queues, all meters share one for a second.
	 * @param registry has the meters
	 * @param name the value of the tag {@code name}, unique among executors
	 * @param snapshot supplies a snapshot of the executor; kept as long as the registry
	 * exists
	 */
	public static void monitor(MeterRegistry registry, String name, Supplier<ExecutorSnapshot> snapshot) {
		Tags tags = Tags.of("name", name);
		Supplier<ExecutorSnapshot> recent = new CachedSnapshot<>(snapshot, registry.config().clock());
		SnapshotMeters<ExecutorSnapshot> meters = new SnapshotMeters<>(registry, tags, recent);
		meters.gauge("sluice.execution.queues", "Queues, idle ones included", "queues", ExecutorSnapshot::queues);
		waiting(meters, Level.HIGH, ExecutorSnapshot::waitingHigh);
		waiting(meters, Level.NORMAL, ExecutorSnapshot::waitingNormal);
		TimeGauge
			.builder("sluice.execution.oldest.wait", () -> recent.get().oldestWait().toNanos(), TimeUnit.NANOSECONDS)
			.description("Time that the oldest waiting task has waited")
			.tags(tags)
			.register(registry);
		meters.counter("sluice.execution.listener.failures", "Exceptions that listeners have thrown", "failures",
				ExecutorSnapshot::listenerFailures);
		ended(meters, TaskOutcome.COMPLETED, ExecutorSnapshot::completed);
		ended(meters, TaskOutcome.FAILED, ExecutorSnapshot::failed);
		ended(meters, TaskOutcome.REJECTED, ExecutorSnapshot::rejected);
		ended(meters, TaskOutcome.DROPPED, ExecutorSnapshot::dropped);
		ended(meters, TaskOutcome.EXPIRED, ExecutorSnapshot::expired);
		ended(meters, TaskOutcome.CANCELLED, ExecutorSnapshot::cancelled);
	}

	private static void waiting(SnapshotMeters<ExecutorSnapshot> meters, Level level,
			ToDoubleFunction<ExecutorSnapshot> count) {
		meters.gauge("sluice.execution.waiting", "Tasks that wait for their turn", "tasks", count, "level",
				lowerCase(level));
	}

	private static void ended(SnapshotMeters<ExecutorSnapshot> meters, TaskOutcome outcome,
			ToDoubleFunction<ExecutorSnapshot> count) {
		meters.counter("sluice.execution.tasks", "Tasks that have ended", "tasks", count, "outcome",
				lowerCase(outcome));
	}

	private static String lowerCase(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

}
