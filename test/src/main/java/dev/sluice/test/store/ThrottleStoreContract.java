package dev.sluice.test.store;

import java.time.Duration;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;

/**
 * Contract of every {@link dev.sluice.throttle.store.ThrottleStore}, as JUnit tests: the
 * bound of each limit, true times to retry, the line and its order, owners, fencing
 * tokens, several limits at once, changes, removal and keys. Extend it in the tests of a
 * store: <pre class="code">
 * class MyStoreContractTests extends ThrottleStoreContract {
 *
 *     private final ThrottleStore store = ...;
 *
 *     private final ThrottlingManager node = ThrottlingManager.builder().store(this.store).build();
 *
 *     public ThrottlingManager node() {
 *         return this.node;
 *     }
 *
 *     public ThrottlingManager otherNode() {
 *         return this.node; // or one over another connection to the same server
 *     }
 *
 *     public StoreTime time() {
 *         return StoreTime.real(Duration.ofMillis(50));
 *     }
 *
 * }
 * </pre> Each test defines limits by names of its own, so a server that others use
 * meanwhile does no harm. On a settable clock let the manager complete futures in place
 * ({@code completionExecutor(Runnable::run)}), so that nothing is missed that comes too
 * early.
 * <p>
 * Needs JUnit 5 or newer, with parameterized tests, and AssertJ on the class path.
 *
 * @since 0.1.0
 */
public abstract class ThrottleStoreContract implements RateContract, LineContract, HeldContract, OwnerContract,
		TextContract, SeveralContract, ChangeContract {

	/** Creates the tests. */
	protected ThrottleStoreContract() {
	}

	/**
	 * Returns a manager over the store.
	 * @return one node; the same for as long as a test lasts
	 */
	@Override
	public abstract ThrottlingManager node();

	/**
	 * Returns another manager over the same store.
	 * @return another node, the same for as long as a test lasts; or the same node where
	 * there can only be one
	 */
	@Override
	public abstract ThrottlingManager otherNode();

	/**
	 * Returns the time that the store goes by.
	 * @return the time, the same for as long as a test lasts
	 */
	@Override
	public abstract StoreTime time();

	/**
	 * Returns how long a test waits, in real time, for what must come.
	 * @return 10 seconds unless overridden
	 */
	@Override
	public Duration patience() {
		return Duration.ofSeconds(10);
	}

	/**
	 * Returns whether the store counts keys; one whose keys expire by themselves need
	 * not.
	 * @return {@code true} unless overridden
	 */
	@Override
	public boolean boundsKeys() {
		return true;
	}

	/**
	 * Returns whether the store keeps limits of a kind; tests of others are skipped.
	 * @param limit one of them
	 * @return {@code true} unless overridden
	 */
	@Override
	public boolean keeps(Limit limit) {
		return true;
	}

}
