package dev.sluice.throttle;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

import dev.sluice.throttle.internal.Checks;
import dev.sluice.throttle.internal.manager.DefaultThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Registry of the limits of an application by name. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface ThrottlingManager extends AutoCloseable {

	/**
	 * Starts building a manager.
	 * @return a builder
	 */
	static Builder builder() {
		return new Builder();
	}

	/**
	 * Defines a throttle with default options, or changes it.
	 * @param resource the name, at most 100 characters
	 * @param limit what it grants
	 * @return the throttle; the same handle before and after a change
	 * @see #addOrUpdate(String, Limit, LimitOptions)
	 */
	default Throttle addOrUpdate(String resource, Limit limit) {
		return addOrUpdate(resource, limit, LimitOptions.defaults());
	}

	/**
	 * Defines a throttle, or changes it while it is in use. A change never mints permits:
	 * what was used stays used, and is judged by the new numbers. Repeating a definition
	 * changes nothing.
	 * @param resource the name, at most 100 characters
	 * @param limit what it grants
	 * @param options the options beside the limit
	 * @return the throttle; the same handle before and after a change
	 * @throws IllegalArgumentException if {@code resource} is empty or too long, or if a
	 * rate were to become a mutex or semaphore, or the other way round: remove it first
	 */
	Throttle addOrUpdate(String resource, Limit limit, LimitOptions options);

	/**
	 * Finds a throttle. With a store, one that is not defined here is looked for there,
	 * as another node may have defined it, which blocks for as long as one command may
	 * take; so do the other methods that are given a name.
	 * @param resource its name
	 * @return the throttle, if it is defined
	 */
	Optional<Throttle> find(String resource);

	/**
	 * Returns a throttle that is known to be defined.
	 * @param resource its name
	 * @return the throttle
	 * @throws UnknownThrottleException if it is not defined; the message lists those that
	 * are
	 */
	Throttle get(String resource);

	/**
	 * Removes a throttle. Waiting calls fail, and old handles throw from then on.
	 * @param resource its name
	 * @return whether it was defined
	 * @throws IllegalStateException while any of its permits is held
	 */
	boolean remove(String resource);

	/**
	 * Lists the throttles.
	 * @return all of them, by name
	 */
	List<Throttle> throttles();

	/**
	 * Tries to acquire the permits of all requests, or none. Never waits. In memory that
	 * is one step. With a store, permits of limits in memory are acquired first and
	 * released if the store rejects; others may be rejected meanwhile, but no bound is
	 * ever exceeded.
	 * @param requests one or several; the same owner twice on one mutex or semaphore
	 * counts once, and permits of one rate add up
	 * @return one decision; its permit closes all
	 * @throws UnknownThrottleException if a throttle is not defined
	 * @throws IllegalArgumentException if there is no request or one is out of range
	 */
	Decision tryAcquire(AcquireRequest... requests);

	/**
	 * Acquires the permits of all requests, or none, and waits in line for them. A call
	 * that waits holds nothing, and delays nobody at a limit that would admit it: it
	 * waits in the line of one limit that rejects it, the one with the longest wait. When
	 * that limit would admit it, all are judged again: the call acquires all permits in
	 * one step, or moves to the line of the next limit that rejects it, where its place
	 * is by the time of its arrival. So at each of several contended limits, calls for
	 * that one alone may overtake it. Each request may wait as long as it says, from the
	 * call on.
	 * <p>
	 * With a store, a call acquires the permits of one limit after the other, releases
	 * them if the next limit rejects, and joins the end of the line of that one. Each of
	 * these rejections counts.
	 * @param requests one or several, as for {@link #tryAcquire(AcquireRequest...)}
	 * @return the permit to come, as for {@link Throttle#acquire}; it closes all
	 * @throws UnknownThrottleException if a throttle is not defined
	 * @throws IllegalArgumentException if there is no request or one is out of range
	 */
	CompletableFuture<Permit> acquire(AcquireRequest... requests);

	/**
	 * Counts what the listeners have thrown.
	 * @return how often they did, since the start; 0 without any
	 */
	long listenerFailures();

	/**
	 * Rejects all calls that wait in line, and from then on each call that would have to
	 * wait. Everything else is as before: a call is admitted where it need not wait, and
	 * permits that are held can be closed. Neither the store nor the executor is closed.
	 * Does nothing the second time.
	 */
	@Override
	void close();

	/**
	 * Builder of managers; not safe for use by several threads.
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
		 * Sets the source of time.
		 * @param clock the clock; {@link NanoClock#system()} by default
		 * @return this builder
		 */
		public Builder clock(NanoClock clock) {
			this.clock = Checks.notNull("clock", clock);
			return this;
		}

		/**
		 * Sets who completes the futures of those who waited.
		 * @param completionExecutor the executor, never closed here; the common pool by
		 * default
		 * @return this builder
		 */
		public Builder completionExecutor(Executor completionExecutor) {
			this.completionExecutor = Checks.notNull("completionExecutor", completionExecutor);
			return this;
		}

		/**
		 * Sets where limits keep their state.
		 * @param store the store, never closed here; the memory of this node by default
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
