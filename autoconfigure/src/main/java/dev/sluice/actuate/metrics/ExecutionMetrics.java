package dev.sluice.actuate.metrics;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

import dev.sluice.execution.ExecutionListener;
import dev.sluice.execution.ExecutorSnapshot;
import dev.sluice.execution.Level;
import dev.sluice.execution.TaskOutcome;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

/**
 * Metrics of one {@link dev.sluice.execution.SequentialLeveledTaskExecutor}, over all its
 * queues, tagged with the name that it is given; no tag tells a queue. As the executor's
 * listener it fills
 * <ul>
 * <li>the timer {@code sluice.execution.wait}, from the submission of a task to its turn,
 * tagged with the {@code level} {@code high} or {@code normal};</li>
 * <li>the timer {@code sluice.execution.run}, of the task itself, its stage included,
 * tagged with the level and the {@code outcome} {@code completed} or {@code failed}.</li>
 * </ul>
 * {@link #monitor} adds what snapshots tell.
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
	 * @param name tells the executor from others, by the tag {@code name}
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
	 * Adds what is read of an executor whenever meters are: the gauges
	 * {@code sluice.execution.queues}, {@code sluice.execution.waiting} (tasks, by
	 * {@code level}) and {@code sluice.execution.oldest.wait}, and the counters
	 * {@code sluice.execution.tasks}, of ended tasks by {@code outcome}, and
	 * {@code sluice.execution.listener.failures}. They need no listener. As a snapshot
	 * takes time in proportion to the queues, all meters share one for a second.
	 * @param registry has the meters
	 * @param name tells the executor from others, by the tag {@code name}
	 * @param snapshot looks at the executor; kept for as long as the registry is
	 */
	public static void monitor(MeterRegistry registry, String name, Supplier<ExecutorSnapshot> snapshot) {
		Tags tags = Tags.of("name", name);
		CachedSnapshot<ExecutorSnapshot> recent = new CachedSnapshot<>(snapshot, registry.config().clock());
		Gauge.builder("sluice.execution.queues", recent, value(ExecutorSnapshot::queues))
			.description("Queues, idle ones included")
			.baseUnit("queues")
			.tags(tags)
			.strongReference(true)
			.register(registry);
		waiting(registry, tags, Level.HIGH, recent, ExecutorSnapshot::waitingHigh);
		waiting(registry, tags, Level.NORMAL, recent, ExecutorSnapshot::waitingNormal);
		TimeGauge
			.builder("sluice.execution.oldest.wait", recent, TimeUnit.NANOSECONDS,
					value((executor) -> executor.oldestWait().toNanos()))
			.description("Time that the oldest waiting task has waited")
			.tags(tags)
			.strongReference(true)
			.register(registry);
		FunctionCounter.builder("sluice.execution.listener.failures", recent, value(ExecutorSnapshot::listenerFailures))
			.description("Exceptions that listeners have thrown")
			.baseUnit("failures")
			.tags(tags)
			.register(registry);
		ended(registry, tags, TaskOutcome.COMPLETED, recent, ExecutorSnapshot::completed);
		ended(registry, tags, TaskOutcome.FAILED, recent, ExecutorSnapshot::failed);
		ended(registry, tags, TaskOutcome.REJECTED, recent, ExecutorSnapshot::rejected);
		ended(registry, tags, TaskOutcome.DROPPED, recent, ExecutorSnapshot::dropped);
		ended(registry, tags, TaskOutcome.EXPIRED, recent, ExecutorSnapshot::expired);
		ended(registry, tags, TaskOutcome.CANCELLED, recent, ExecutorSnapshot::cancelled);
	}

	private static void waiting(MeterRegistry registry, Tags tags, Level level, CachedSnapshot<ExecutorSnapshot> recent,
			ToLongFunction<ExecutorSnapshot> count) {
		Gauge.builder("sluice.execution.waiting", recent, value(count))
			.description("Tasks that wait for their turn")
			.baseUnit("tasks")
			.tags(tags.and("level", lowerCase(level)))
			.strongReference(true)
			.register(registry);
	}

	private static void ended(MeterRegistry registry, Tags tags, TaskOutcome outcome,
			CachedSnapshot<ExecutorSnapshot> recent, ToLongFunction<ExecutorSnapshot> count) {
		FunctionCounter.builder("sluice.execution.tasks", recent, value(count))
			.description("Tasks that have ended")
			.baseUnit("tasks")
			.tags(tags.and("outcome", lowerCase(outcome)))
			.register(registry);
	}

	private static ToDoubleFunction<CachedSnapshot<ExecutorSnapshot>> value(ToLongFunction<ExecutorSnapshot> value) {
		return (recent) -> value.applyAsLong(recent.get());
	}

	private static String lowerCase(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

}
