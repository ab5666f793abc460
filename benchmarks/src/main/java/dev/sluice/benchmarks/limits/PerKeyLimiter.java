package dev.sluice.benchmarks.limits;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** One limiter a key, as users of a limiter without keys have it; forgets no key. */
final class PerKeyLimiter implements Limiter {

	private final ConcurrentHashMap<String, Limiter> limiters = new ConcurrentHashMap<>();

	private final Supplier<Limiter> factory;

	PerKeyLimiter(Supplier<Limiter> factory) {
		this.factory = factory;
	}

	@Override
	public boolean tryAcquire(String key) {
		Limiter limiter = this.limiters.get(key);
		if (limiter == null) {
			limiter = this.limiters.computeIfAbsent(key, (absent) -> this.factory.get());
		}
		return limiter.tryAcquire(key);
	}

}
