package dev.sluice.aop.internal.result;

import dev.sluice.aop.internal.call.GatedCall;
import dev.sluice.aop.spi.DeferredResults;
import org.jspecify.annotations.Nullable;

/**
 * A result that may end later than the method that holds permits for it.
 *
 * @param plain how such a method gives its result otherwise
 * @param results follow the result
 */
record FollowedResult(PlainResult plain, DeferredResults results) implements ResultType {

	@Override
	public @Nullable Object run(GatedCall call) throws Throwable {
		return call.run((rejection) -> reject(call, rejection), (result, end) -> {
			if (result != null && DeferredTypes.isDeferred(result)) {
				this.results.follow(result, end);
			}
			else {
				GatedCall.followStage(result, end);
			}
		});
	}

	@Override
	public @Nullable Object empty() {
		return this.plain.empty();
	}

}
