package dev.sluice.aop.internal.result;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import dev.sluice.aop.internal.call.GatedCall;
import dev.sluice.aop.internal.call.GatedCall.ResultFollower;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/**
 * A result that is complete when the method returns. A method that does not declare a
 * stage and yet returns one holds its permits until that has ended.
 *
 * @param type the type that the method declares
 * @param follower detects the end of the result
 */
record PlainResult(Class<?> type, ResultFollower follower) implements ResultType {

	@Override
	public @Nullable Object run(GatedCall call) throws Throwable {
		return call.run((rejection) -> reject(call, rejection), this.follower);
	}

	@Override
	public @Nullable Object reject(GatedCall call, ThrottledException rejection) throws Throwable {
		if (this.type != Future.class) {
			return call.reject(rejection);
		}
		try {
			return call.reject(rejection);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	@Override
	public boolean endsOnReturn() {
		return true;
	}

	@Override
	public @Nullable Object empty() {
		return EmptyValues.of(this.type);
	}

}
