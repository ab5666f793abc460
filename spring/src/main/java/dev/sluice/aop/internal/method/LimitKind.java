package dev.sluice.aop.internal.method;

import java.lang.annotation.Annotation;

import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.throttle.Limit;

/** The kind of limit that an annotation requires. */
enum LimitKind {

	RATE("a rate limit", Throttled.class),

	SEMAPHORE("a semaphore", Semaphore.class),

	MUTEX("a mutex", Mutex.class);

	private final String description;

	private final Class<? extends Annotation> annotationType;

	LimitKind(String description, Class<? extends Annotation> annotationType) {
		this.description = description;
		this.annotationType = annotationType;
	}

	static LimitKind of(Limit limit) {
		return !limit.isHeld() ? RATE : (limit instanceof Limit.Mutex) ? MUTEX : SEMAPHORE;
	}

	Class<? extends Annotation> annotationType() {
		return this.annotationType;
	}

	String annotation() {
		return '@' + this.annotationType.getSimpleName();
	}

	@Override
	public String toString() {
		return this.description;
	}

}
