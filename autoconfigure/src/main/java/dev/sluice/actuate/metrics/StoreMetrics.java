package dev.sluice.actuate.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.store.StoreSnapshot;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of limits that nodes share, as this node observes them: {@code
 * sluice.store.commands} and {@code sluice.store.failures}, of commands that a caller
 * waited for, {@code sluice.store.unavailable}, {@code sluice.store.nodes}, and {@code
 * sluice.store.decisions}, of failure policies that decided without the server.
 *
 * @since 0.1.0
 */
public final class StoreMetrics implements MeterBinder {

	private final String server;

	private final Supplier<StoreSnapshot> store;

	/**
	 * Creates the metrics of a store.
	 * @param server the name of its server, for descriptions
	 * @param store supplies a snapshot of the store; kept as long as the registry exists
	 */
	public StoreMetrics(String server, Supplier<StoreSnapshot> store) {
		this.server = server;
		this.store = store;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		FunctionTimer
			.builder("sluice.store.commands", this.store, (store) -> store.get().answered(),
					(store) -> store.get().answerTime().toNanos(), TimeUnit.NANOSECONDS)
			.description("Time that " + this.server + " took to answer commands that a caller waited for")
			.register(registry);
		SnapshotMeters<StoreSnapshot> meters = new SnapshotMeters<>(registry, Tags.empty(), this.store);
		meters.counter("sluice.store.failures", "Commands that a caller waited for and that failed or timed out",
				"commands", StoreSnapshot::failed);
		meters.gauge("sluice.store.unavailable",
				"1 while calls go by the failure policies of their limits, 0 otherwise", null,
				(store) -> store.unavailable() ? 1 : 0);
		meters.gauge("sluice.store.nodes", "Nodes that share the limits", "nodes", StoreSnapshot::nodes);
		for (FailurePolicy policy : FailurePolicy.values()) {
			if (policy != FailurePolicy.CLOSED) {
				decisions(meters, policy, "admitted", StoreSnapshot::admitted);
			}
			if (policy != FailurePolicy.OPEN) {
				decisions(meters, policy, "rejected", StoreSnapshot::rejected);
			}
		}
	}

	private void decisions(SnapshotMeters<StoreSnapshot> meters, FailurePolicy policy, String outcome,
			Function<StoreSnapshot, Map<FailurePolicy, Long>> counts) {
		meters.counter("sluice.store.decisions", "Calls that a failure policy decided without " + this.server, "calls",
				(store) -> counts.apply(store).getOrDefault(policy, 0L), "policy",
				policy.name().toLowerCase(Locale.ROOT), "outcome", outcome);
	}

}
