package dev.sluice.aop.spi;

import java.lang.reflect.Method;
import java.util.function.Consumer;

/**
 * Follower of results that the caller of a method continues to process after the method
 * has returned, such as a {@link java.util.concurrent.Callable Callable} or an emitter of
 * Spring MVC. The permits of semaphores and mutexes are held until they end.
 *
 * @since 0.1.0
 */
public interface DeferredResults {

	/** Follows no results. */
	DeferredResults NONE = new DeferredResults() {

		@Override
		public boolean handles(Method method) {
			return false;
		}

		@Override
		public void follow(Object result, Consumer<Boolean> end) {
			throw new IllegalStateException("The end of " + result.getClass() + " cannot be detected");
		}

	};

	/**
	 * Returns whether the results of a method can be followed.
	 * @param method the method, as its class declares it
	 * @return whether they can
	 */
	boolean handles(Method method);

	/**
	 * Follows a result of a method that it {@linkplain #handles handles}. Called by the
	 * thread that calls the method, when the method has returned.
	 * @param result the result of the method
	 * @param end called once, on any thread, when the result has ended, or will not be
	 * processed, with whether it failed
	 * @throws IllegalStateException if the result cannot be followed on this thread
	 */
	void follow(Object result, Consumer<Boolean> end);

}
