package dev.sluice.throttle;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.throttle.store.ThrottleStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Limits that others define in a store, looked up while the store takes its time. */
class SharedStoreTests {

	private final ThrottleStore store = ThrottleStore.inMemory(new SettableClock());

	@Test
	void storeThatTakesTimeForOneLimitHoldsUpNoOther() {
		SlowStore slow = new SlowStore();
		ThrottlingManager manager = ThrottlingManager.builder().store(slow).build();
		slow.meanwhile = () -> {
			manager.find("other");
			manager.addOrUpdate("another", Limit.mutex());
		};
		this.store.open("slow", Limit.semaphore(2), LimitOptions.defaults());

		assertThat(manager.get("slow").limit()).isEqualTo(Limit.semaphore(2));
		assertThat(manager.find("another")).isPresent();
	}

	@Test
	void limitThatIsDefinedWhileTheStoreIsAskedIsFoundAsDefined() {
		SlowStore slow = new SlowStore();
		ThrottlingManager manager = ThrottlingManager.builder().store(slow).build();
		this.store.open("slow", Limit.slidingLog(2, Duration.ofSeconds(1)), LimitOptions.defaults());
		slow.meanwhile = () -> manager.addOrUpdate("slow", Limit.slidingLog(3, Duration.ofSeconds(1)));

		Throttle found = manager.get("slow");

		assertThat(found).isSameAs(manager.get("slow"));
		assertThat(manager.throttles()).containsExactly(found);
		assertThat(found.limit().limit()).isEqualTo(3);
	}

	/** Store in which others do something each time that it is asked for "slow". */
	private final class SlowStore implements ThrottleStore {

		private Runnable meanwhile = () -> {
		};

		@Override
		public Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options) {
			return SharedStoreTests.this.store.open(resource, limit, options);
		}

		@Override
		public Optional<StoredThrottle> find(String resource) {
			Optional<StoredThrottle> found = SharedStoreTests.this.store.find(resource);
			if (resource.equals("slow")) {
				CompletableFuture.runAsync(this.meanwhile).orTimeout(5, TimeUnit.SECONDS).join();
			}
			return found;
		}

	}

}
