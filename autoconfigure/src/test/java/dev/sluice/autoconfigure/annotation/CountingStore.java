package dev.sluice.autoconfigure.annotation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.throttle.store.ThrottleStore;

/** Store that counts the calls that another store has not decided yet. */
final class CountingStore implements ThrottleStore {

	private final ThrottleStore store;

	private final AtomicInteger undecided = new AtomicInteger();

	CountingStore(ThrottleStore store) {
		this.store = store;
	}

	@Override
	public Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options) {
		return this.store.open(resource, limit, options).map(this::counting);
	}

	@Override
	public Optional<StoredThrottle> find(String resource) {
		return this.store.find(resource).map(this::counting);
	}

	/** Returns the number of calls that may be granted permits later. */
	int undecided() {
		return this.undecided.get();
	}

	private StoredThrottle counting(StoredThrottle throttle) {
		return (StoredThrottle) Proxy.newProxyInstance(StoredThrottle.class.getClassLoader(),
				new Class<?>[] { StoredThrottle.class }, (proxy, method, arguments) -> {
					try {
						Object result = method.invoke(throttle, arguments);
						if (method.getName().equals("acquire")) {
							count((CompletableFuture<?>) result);
						}
						return result;
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

	private void count(CompletableFuture<?> call) {
		this.undecided.incrementAndGet();
		call.whenComplete((permit, failure) -> this.undecided.decrementAndGet());
	}

}
