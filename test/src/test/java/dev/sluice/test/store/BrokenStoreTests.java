package dev.sluice.test.store;

import java.time.Duration;

import dev.sluice.test.SettableClock;
import dev.sluice.test.store.BrokenStore.Fault;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

/**
 * The contract finds each fault that a store may have, by the test that is made for it.
 */
class BrokenStoreTests {

	private static final ThreadLocal<Fault> FAULT = new ThreadLocal<>();

	@ParameterizedTest
	@EnumSource
	void faultIsFound(Fault fault) {
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		FAULT.set(fault);
		try {
			LauncherFactory.create()
				.execute(LauncherDiscoveryRequestBuilder.request()
					.selectors(selectClass(BrokenStoreContract.class))
					.filters((PostDiscoveryFilter) (test) -> only(fault.caughtBy, test))
					.build(), listener);
		}
		finally {
			FAULT.remove();
		}

		assertThat(listener.getSummary().getTestsFoundCount()).isPositive();
		assertThat(listener.getSummary().getFailures()).isNotEmpty();
	}

	private static FilterResult only(String method, TestDescriptor test) {
		boolean other = test.getSource()
			.filter(MethodSource.class::isInstance)
			.map(MethodSource.class::cast)
			.filter((source) -> !source.getMethodName().equals(method))
			.isPresent();
		return FilterResult.includedIf(!other);
	}

	/** Not found by name, as its tests must fail. */
	static final class BrokenStoreContract extends ThrottleStoreContract {

		private final SettableClock clock = new SettableClock();

		private final Fault fault = FAULT.get();

		private final ThrottleStore store = new BrokenStore(this.clock, this.fault);

		private final ThrottlingManager node = manager(this.store);

		private final ThrottlingManager otherNode = manager(
				(this.fault != Fault.COUNTS_PER_NODE) ? this.store : ThrottleStore.inMemory(this.clock));

		private ThrottlingManager manager(ThrottleStore store) {
			return ThrottlingManager.builder().clock(this.clock).completionExecutor(Runnable::run).store(store).build();
		}

		@Override
		public ThrottlingManager node() {
			return this.node;
		}

		@Override
		public ThrottlingManager otherNode() {
			return this.otherNode;
		}

		@Override
		public Duration patience() {
			return Duration.ofMillis(100);
		}

		@Override
		public StoreTime time() {
			return StoreTime.of(this.clock);
		}

	}

}
