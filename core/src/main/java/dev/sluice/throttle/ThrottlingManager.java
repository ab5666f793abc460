package dev.sluice.throttle;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

import dev.sluice.throttle.internal.argument.Checks;
import dev.sluice.throttle.internal.manager.DefaultThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Registry of the limits of an application by name. Implementations are thread-safe.
 *
 * @since 0.1.0
 */
public interface ThrottlingManager extends AutoCloseable {

	/**
	 * Returns a builder of a manager.
	 * @return a builder
	 */
	static Builder builder() {
		return new Builder();
	}

	/**
	 * Defines a throttle with default options, or changes it.
	 * @param resource the name, at most 100 characters
	 * @param limit the limit
	 * @return the throttle; the same instance before and after a change
	 * @see #addOrUpdate(String, Limit, LimitOptions)
	 */
	default Throttle addOrUpdate(String resource, Limit limit) {
		return addOrUpdate(resource, limit, LimitOptions.defaults());
	}

	/**
	 * Defines a throttle, or changes it while it is in use. A change never mints permits:
	 * the recorded usage stays and counts against the new limit. Repeating a definition
	 * has no effect.
	 * @param resource the name, at most 100 characters
	 * @param limit the limit
	 * @param options the options of the limit
	 * @return the throttle; the same instance before and after a change
	 * @throws IllegalArgumentException if {@code resource} is empty or too long, or if
	 * the change would turn a rate limit into a mutex or semaphore, or the reverse.
	 * Remove the throttle first in this case
	 */
	Throttle addOrUpdate(String resource, Limit limit, LimitOptions options);

	/**
	 * Finds a throttle. If a store is configured and this node does not define the
	 * throttle, the store is queried, as another node may have defined it. The query
	 * blocks at most for the time-out of one command. The same applies to the other
	 * methods with a name.
	 * @param resource the name of the throttle
	 * @return the throttle, if it is defined
	 */
	Optional<Throttle> find(String resource);

	/**
	 * Returns a throttle that must be defined.
	 * @param resource the name of the throttle
	 * @return the throttle
	 * @throws UnknownThrottleException if the throttle is not defined; the message lists
	 * the defined throttles
	 */
	Throttle get(String resource);

	/**
	 * Removes a throttle. Waiting calls fail, and the {@link Throttle} instance throws
	 * afterwards.
	 * @param resource the name of the throttle
	 * @return whether the throttle was defined
	 * @throws IllegalStateException while any of its permits is held
	 */
	boolean remove(String resource);

	/**
	 * Returns the throttles.
	 * @return all throttles, sorted by name
	 */
	List<Throttle> throttles();

	/**
	 * Tries to acquire the permits of all requests, or none. Never waits. For limits in
	 * memory, this is one atomic step. With a store, permits of limits in memory are
	 * acquired first and released if the store rejects. Other calls may be rejected in
	 * the meantime, but no limit is ever exceeded.
	 * @param requests one or several requests; the same owner twice on one mutex or
	 * semaphore counts once, and permits of one rate limit add up
	 * @return one decision, whose permit closes the permits of all requests
	 * @throws UnknownThrottleException if a throttle is not defined
	 * @throws IllegalArgumentException if {@code requests} is empty or a request is out
	 * of range
	 */
	Decision tryAcquire(AcquireRequest... requests);

	/**
	 * Acquires the permits of all requests, or none, and waits in line for them. A
	 * waiting call holds no permits, and does not delay other calls at a limit that would
	 * admit it. It waits in the line of one limit that rejects it, the one with the
	 * longest wait. When that limit would admit the call, all limits are evaluated again:
	 * the call acquires all permits in one step, or moves to the line of the next limit
	 * that rejects it, at the place of its arrival time. At each of several contended
	 * limits, calls for that limit alone may therefore overtake it. The maximum wait of
	 * each request is measured from the call.
	 * <p>
	 * With a store, a call acquires the permits of one limit after the other. If a limit
	 * rejects, the call releases the permits acquired so far and joins the end of that
	 * limit's line. Each of these rejections counts.
	 * @param requests one or several requests, as for
	 * {@link #tryAcquire(AcquireRequest...)}
	 * @return a future that completes as for {@link Throttle#acquire}; its permit closes
	 * the permits of all requests
	 * @throws UnknownThrottleException if a throttle is not defined
	 * @throws IllegalArgumentException if {@code requests} is empty or a request is out
	 * of range
	 */
	CompletableFuture<Permit> acquire(AcquireRequest... requests);

	/**
	 * Returns the number of exceptions thrown by listeners.
	 * @return the number since the start; 0 without listeners
	 */
	long listenerFailures();

	/**
	 * Rejects all waiting calls, and from then on each call that would have to wait.
	 * Calls that need not wait are still admitted, and held permits can still be closed.
	 * Neither the store nor the executor is closed. A second call has no effect.
	 */
	@Override
	void close();

	/**
	 * Builder of a {@link ThrottlingManager}. Not thread-safe.
	 *
	 * @since 0.1.0
	 */
	final class Builder {

		private NanoClock clock = NanoClock.system();

		private Executor completionExecutor = ForkJoinPool.commonPool();

		private @Nullable ThrottleStore store;

		private final List<ThrottleListener> listeners = new ArrayList<>();

		private Builder() {
		}

		/**
		 * Sets the clock of the limits.
		 * @param clock the clock; {@link NanoClock#system()} by default
		 * @return this builder
		 */
		public Builder clock(NanoClock clock) {
			this.clock = Checks.notNull("clock", clock);
			return this;
		}

		/**
		 * Sets the executor that completes the futures of waiting calls.
		 * @param completionExecutor the executor, which the manager never closes; the
		 * common pool by default
		 * @return this builder
		 */
		public Builder completionExecutor(Executor completionExecutor) {
			this.completionExecutor = Checks.notNull("completionExecutor", completionExecutor);
			return this;
		}

		/**
		 * Sets the store for the state of limits.
		 * @param store the store, which the manager never closes; the memory of this node
		 * by default
		 * @return this builder
		 */
		public Builder store(ThrottleStore store) {
			this.store = Checks.notNull("store", store);
			return this;
		}

		/**
		 * Adds a listener for every decision and release. An exception of one listener
		 * does not affect the others.
		 * @param listener the listener; none by default
		 * @return this builder
		 */
		public Builder listener(ThrottleListener listener) {
			this.listeners.add(Checks.notNull("listener", listener));
			return this;
		}

		/**
		 * Builds the manager.
		 * @return a manager without throttles
		 */
		public ThrottlingManager build() {
			return new DefaultThrottlingManager(this.clock, this.completionExecutor, this.store, this.listeners);
		}

	}

}
