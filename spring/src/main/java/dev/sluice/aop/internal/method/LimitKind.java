package dev.sluice.aop.internal.method;

import dev.sluice.throttle.Limit;

/** The kind of limit that an annotation asks for. */
enum LimitKind {

	RATE("a rate limit", "@Throttled") {
		@Override
		boolean matches(Limit limit) {
			return !limit.isHeld();
		}
	},

	SEMAPHORE("a semaphore", "@Semaphore") {
		@Override
		boolean matches(Limit limit) {
			return limit instanceof Limit.Semaphore;
		}
	},

	MUTEX("a mutex", "@Mutex") {
		@Override
		boolean matches(Limit limit) {
			return limit instanceof Limit.Mutex;
		}
	};

	private final String description;

	private final String annotation;

	LimitKind(String description, String annotation) {
		this.description = description;
		this.annotation = annotation;
	}

	abstract boolean matches(Limit limit);

	String annotation() {
		return this.annotation;
	}

	@Override
	public String toString() {
		return this.description;
	}

	static LimitKind of(Limit limit) {
		return MUTEX.matches(limit) ? MUTEX : SEMAPHORE.matches(limit) ? SEMAPHORE : RATE;
	}

}
