package dev.sluice.aop;

import org.jspecify.annotations.Nullable;

/**
 * A result that is there when the method returns. A method that does not declare a stage
 * and yet returns one holds its permits until that has ended.
 */
record PlainResult(Class<?> type) implements ResultType {

	@Override
	public @Nullable Object run(GatedCall call) throws Throwable {
		return call.run();
	}

	@Override
	public @Nullable Object empty() {
		return EmptyValues.of(this.type);
	}

}
