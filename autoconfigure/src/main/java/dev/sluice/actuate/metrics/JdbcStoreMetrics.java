package dev.sluice.actuate.metrics;

import java.util.function.Supplier;

import dev.sluice.jdbc.JdbcStoreSnapshot;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The meters of limits in PostgreSQL, as this node sees it: {@code sluice.store.commands}
 * and {@code sluice.store.failures} of what somebody waited for,
 * {@code sluice.store.unavailable}, {@code sluice.store.nodes}, and
 * {@code sluice.store.decisions} that a failure policy made without PostgreSQL.
 *
 * @since 0.1.0
 */
public final class JdbcStoreMetrics implements MeterBinder {

	private final Supplier<JdbcStoreSnapshot> store;

	/**
	 * Creates the metrics of a store.
	 * @param store looks at the store; kept for as long as the registry is
	 */
	public JdbcStoreMetrics(Supplier<JdbcStoreSnapshot> store) {
		this.store = store;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		StoreMeters.bindTo(registry, "PostgreSQL", () -> state(this.store.get()));
	}

	private static StoreState state(JdbcStoreSnapshot store) {
		return new StoreState(store.unavailable(), store.nodes(), store.answered(), store.answerTime(), store.failed(),
				store.admitted(), store.rejected());
	}

}
