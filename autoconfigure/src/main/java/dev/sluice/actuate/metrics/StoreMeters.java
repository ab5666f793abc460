package dev.sluice.actuate.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.sluice.throttle.FailurePolicy;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/** The meters of a store that nodes share. */
final class StoreMeters {

	private StoreMeters() {
	}

	/** Registers the meters of a store, by the name of what it is in. */
	static void bindTo(MeterRegistry registry, String name, Supplier<StoreState> state) {
		FunctionTimer
			.builder("sluice.store.commands", state, (store) -> store.get().answered(),
					(store) -> store.get().answerTime().toNanos(), TimeUnit.NANOSECONDS)
			.description("Time that " + name + " took to answer commands that somebody waited for")
			.register(registry);
		SnapshotMeters<StoreState> meters = new SnapshotMeters<>(registry, Tags.empty(), state);
		meters.counter("sluice.store.failures", "Commands that somebody waited for and that failed, or took too long",
				"commands", StoreState::failed);
		meters.gauge("sluice.store.unavailable",
				"1 while calls go by the failure policies of their limits, 0 otherwise", null,
				(store) -> store.unavailable() ? 1 : 0);
		meters.gauge("sluice.store.nodes", "Nodes that share the limits", "nodes", StoreState::nodes);
		for (FailurePolicy policy : FailurePolicy.values()) {
			if (policy != FailurePolicy.CLOSED) {
				decisions(meters, name, policy, "admitted", StoreState::admitted);
			}
			if (policy != FailurePolicy.OPEN) {
				decisions(meters, name, policy, "rejected", StoreState::rejected);
			}
		}
	}

	private static void decisions(SnapshotMeters<StoreState> meters, String name, FailurePolicy policy, String outcome,
			Function<StoreState, Map<FailurePolicy, Long>> counts) {
		meters.counter("sluice.store.decisions", "Calls that a failure policy decided without " + name, "calls",
				(store) -> counts.apply(store).getOrDefault(policy, 0L), "policy",
				policy.name().toLowerCase(Locale.ROOT), "outcome", outcome);
	}

}
