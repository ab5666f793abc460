package dev.sluice.actuate.metrics;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import dev.sluice.batch.BatchSnapshot;
import dev.sluice.batch.PumpListener;
import dev.sluice.batch.PumpOutcome;
import dev.sluice.batch.SlotSnapshot;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * Metrics of one {@link dev.sluice.batch.BatchConsumer} over all its slots, tagged with
 * its name. As the consumer's listener it fills
 * <ul>
 * <li>the timer {@code sluice.batch.pump}, tagged with the {@code outcome} of a call:
 * {@code completed}, {@code retried} or {@code failed};</li>
 * <li>the summary {@code sluice.batch.size}, of the items in a call.</li>
 * </ul>
 * {@link #monitor} adds the gauges {@code sluice.batch.waiting} (items) and
 * {@code sluice.batch.in.flight} (batches), and the counters
 * {@code sluice.batch.callback.failures} and {@code sluice.batch.items}, tagged with the
 * {@code outcome} {@code completed}, {@code failed}, {@code rejected} or {@code dropped}.
 *
 * @since 0.1.0
 */
public final class BatchMetrics implements PumpListener {

	private final MeterRegistry registry;

	private final Tags tags;

	private final DistributionSummary size;

	private final Timer[] pump = new Timer[PumpOutcome.values().length];

	/**
	 * Creates the metrics.
	 * @param registry has the meters
	 * @param name the value of the tag {@code name}, unique among consumers
	 */
	public BatchMetrics(MeterRegistry registry, String name) {
		this.registry = registry;
		this.tags = Tags.of("name", name);
		this.size = DistributionSummary.builder("sluice.batch.size")
			.description("Items in a batch")
			.baseUnit("items")
			.tags(this.tags)
			.register(registry);
		for (PumpOutcome outcome : PumpOutcome.values()) {
			this.pump[outcome.ordinal()] = Timer.builder("sluice.batch.pump")
				.description("Time from a call of the pump to the end of its stage")
				.tags(this.tags.and("outcome", outcome.name().toLowerCase(Locale.ROOT)))
				.register(registry);
		}
	}

	/**
	 * Adds the meters that are read from snapshots of the consumer.
	 * @param snapshot supplies a snapshot of the consumer; kept as long as the registry
	 * exists
	 */
	public void monitor(Supplier<BatchSnapshot> snapshot) {
		monitor(this.registry, this.tags, snapshot);
	}

	/**
	 * Adds the meters that are read from snapshots of a consumer and need no listener.
	 * @param registry has the meters
	 * @param name the value of the tag {@code name}, unique among consumers
	 * @param snapshot supplies a snapshot of the consumer; kept as long as the registry
	 * exists
	 */
	public static void monitor(MeterRegistry registry, String name, Supplier<BatchSnapshot> snapshot) {
		monitor(registry, Tags.of("name", name), snapshot);
	}

	private static void monitor(MeterRegistry registry, Tags tags, Supplier<BatchSnapshot> snapshot) {
		SnapshotMeters<BatchSnapshot> meters = new SnapshotMeters<>(registry, tags, snapshot);
		meters.gauge("sluice.batch.waiting", "Items that wait for a batch", "items", BatchSnapshot::waiting);
		meters.gauge("sluice.batch.in.flight", "Batches with the pump, or waiting to be retried", "batches",
				BatchSnapshot::inFlight);
		meters.counter("sluice.batch.callback.failures", "Exceptions that listeners or the error handler have thrown",
				"failures", BatchSnapshot::callbackFailures);
		ended(meters, "completed", SlotSnapshot::completed);
		ended(meters, "failed", SlotSnapshot::failed);
		ended(meters, "rejected", SlotSnapshot::rejected);
		ended(meters, "dropped", SlotSnapshot::dropped);
	}

	private static void ended(SnapshotMeters<BatchSnapshot> meters, String outcome,
			ToLongFunction<SlotSnapshot> count) {
		meters.counter("sluice.batch.items", "Items that have ended", "items",
				(batch) -> batch.slots().stream().mapToLong(count).sum(), "outcome", outcome);
	}

	@Override
	public void pumpEnded(int slot, int items, PumpOutcome outcome, long pumpNanos) {
		this.size.record(items);
		this.pump[outcome.ordinal()].record(pumpNanos, TimeUnit.NANOSECONDS);
	}

}
