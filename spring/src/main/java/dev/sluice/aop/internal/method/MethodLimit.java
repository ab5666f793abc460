package dev.sluice.aop.internal.method;

import dev.sluice.annotation.Mode;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Throttle;
import org.jspecify.annotations.Nullable;

/**
 * One limit that the annotations of a method name.
 *
 * @param throttle the limit as it was when the method was read
 * @param key evaluates its partition; {@code null} without a key
 * @param permits evaluates the permits of a call; {@code null} for one
 * @param owner evaluates the owner of the permits; {@code null} for the call itself
 * @param mode whether the call acquires permits, releases them, or both
 * @param requireHeld whether a call that releases is rejected if its owner holds no
 * permits
 */
record MethodLimit(Throttle throttle, @Nullable MethodExpression key, @Nullable MethodExpression permits,
		@Nullable MethodExpression owner, Mode mode, boolean requireHeld) {

	/** Returns whether each call requires one permit, which is not released. */
	boolean isSimpleRate() {
		return this.permits == null && this.owner == null && this.mode == Mode.ACQUIRE_AND_RELEASE
				&& !this.throttle.limit().isHeld();
	}

	/** Returns the request of the call, or {@code null} if the call needs no permit. */
	@Nullable AcquireRequest request(CallContext context) {
		int number = (this.permits != null) ? this.permits.evaluatePermits(context) : 1;
		if (this.mode == Mode.RELEASE || number == 0) {
			return null;
		}
		AcquireRequest request = AcquireRequest.of(resource(), keyOf(context)).permits(number);
		return (this.owner != null) ? request.owner(ownerOf(context)) : request;
	}

	/** Returns the name of the limit. */
	String resource() {
		return this.throttle.resource();
	}

	String keyOf(CallContext context) {
		return (this.key != null) ? this.key.evaluateText(context) : "";
	}

	String ownerOf(CallContext context) {
		return (this.owner != null) ? this.owner.evaluateText(context) : "";
	}

}
