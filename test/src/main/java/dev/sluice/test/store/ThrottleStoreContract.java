package dev.sluice.test.store;

import java.time.Duration;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;

/**
 * Contract of every {@link dev.sluice.throttle.store.ThrottleStore}, as JUnit tests: the
 * bound of each limit, exact retry times, the waiting line and its order, owners, fencing
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
 * </pre> Each test uses unique names of limits, so other applications may use the same
 * server. With a settable clock, configure the manager to complete futures in the calling
 * thread ({@code completionExecutor(Runnable::run)}), so that the tests detect a permit
 * that is granted too early.
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
	 * @return one node; the same during a test
	 */
	@Override
	public abstract ThrottlingManager node();

	/**
	 * Returns another manager over the same store.
	 * @return another node, the same during a test; or the same node if there can be only
	 * one
	 */
	@Override
	public abstract ThrottlingManager otherNode();

	/**
	 * Returns the time source of the store.
	 * @return the time source, the same during a test
	 */
	@Override
	public abstract StoreTime time();

	/**
	 * Returns the maximum time, in real time, that a test waits for an expected event.
	 * @return 10 seconds unless overridden
	 */
	@Override
	public Duration patience() {
		return Duration.ofSeconds(10);
	}

	/**
	 * Returns whether the store counts keys. A store whose keys expire by themselves need
	 * not count them.
	 * @return {@code true} unless overridden
	 */
	@Override
	public boolean boundsKeys() {
		return true;
	}

	/**
	 * Returns whether the store supports a kind of limits. Tests of unsupported kinds are
	 * skipped.
	 * @param limit a limit of the kind
	 * @return {@code true} unless overridden
	 */
	@Override
	public boolean keeps(Limit limit) {
		return true;
	}

}
