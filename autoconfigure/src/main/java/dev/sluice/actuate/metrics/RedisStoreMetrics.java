package dev.sluice.actuate.metrics;

import java.util.function.Supplier;

import dev.sluice.redis.RedisStoreSnapshot;
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
		StoreMeters.bindTo(registry, "Redis", () -> state(this.store.get()));
	}

	private static StoreState state(RedisStoreSnapshot store) {
		return new StoreState(store.unavailable(), store.nodes(), store.answered(), store.answerTime(), store.failed(),
				store.admitted(), store.rejected());
	}

}
