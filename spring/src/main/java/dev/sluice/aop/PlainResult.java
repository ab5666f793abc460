package dev.sluice.aop;

import java.util.concurrent.CompletionStage;

import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/**
 * A result that is there when the method returns. A method that does not declare a stage
 * and yet returns one holds its permits until that has ended.
 */
record PlainResult(Class<?> type) implements ResultType {

	@Override
	public @Nullable Object run(GatedCall call) throws Throwable {
		Permit permit;
		try {
			permit = call.await();
		}
		catch (ThrottledException ex) {
			return call.refuse(ex);
		}
		Object result;
		try {
			result = call.proceed();
		}
		catch (Throwable ex) {
			call.end(permit, true);
			throw ex;
		}
		if (result instanceof CompletionStage<?> stage) {
			stage.whenComplete((value, failure) -> call.end(permit, failure != null));
		}
		else {
			call.end(permit, false);
		}
		return result;
	}

	@Override
	public @Nullable Object empty() {
		return EmptyValues.of(this.type);
	}

}
