package dev.sluice.actuate.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.sluice.redis.RedisStoreSnapshot;
import dev.sluice.throttle.FailurePolicy;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The meters of limits in Redis, as this node sees it: {@code sluice.store.commands} and
 * {@code sluice.store.failures} of what somebody waited for,
 * {@code sluice.store.unavailable}, {@code sluice.store.nodes}, and
 * {@code sluice.store.decisions} that a failure policy made without Redis.
 *
 * @since 0.1.0
 */
public final class RedisStoreMetrics implements MeterBinder {

	private final Supplier<RedisStoreSnapshot> store;

	/**
	 * Creates the metrics of a store.
	 * @param store looks at the store; kept for as long as the registry is
	 */
	public RedisStoreMetrics(Supplier<RedisStoreSnapshot> store) {
		this.store = store;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		FunctionTimer
			.builder("sluice.store.commands", this.store, (store) -> store.get().answered(),
					(store) -> store.get().answerTime().toNanos(), TimeUnit.NANOSECONDS)
			.description("Time that Redis took to answer commands that somebody waited for")
			.register(registry);
		FunctionCounter.builder("sluice.store.failures", this.store, (store) -> store.get().failed())
			.description("Commands that somebody waited for and that failed, or took too long")
			.baseUnit("commands")
			.register(registry);
		Gauge.builder("sluice.store.unavailable", this.store, (store) -> store.get().unavailable() ? 1 : 0)
			.description("1 while calls go by the failure policies of their limits, 0 otherwise")
			.register(registry);
		Gauge.builder("sluice.store.nodes", this.store, (store) -> store.get().nodes())
			.description("Nodes that share the limits")
			.baseUnit("nodes")
			.register(registry);
		for (FailurePolicy policy : FailurePolicy.values()) {
			if (policy != FailurePolicy.CLOSED) {
				decisions(registry, policy, "admitted", RedisStoreSnapshot::admitted);
			}
			if (policy != FailurePolicy.OPEN) {
				decisions(registry, policy, "rejected", RedisStoreSnapshot::rejected);
			}
		}
	}

	private void decisions(MeterRegistry registry, FailurePolicy policy, String outcome,
			Function<RedisStoreSnapshot, Map<FailurePolicy, Long>> counts) {
		FunctionCounter
			.builder("sluice.store.decisions", this.store,
					(store) -> counts.apply(store.get()).getOrDefault(policy, 0L))
			.description("Calls that a failure policy decided without Redis")
			.baseUnit("calls")
			.tag("policy", policy.name().toLowerCase(Locale.ROOT))
			.tag("outcome", outcome)
			.register(registry);
	}

}
