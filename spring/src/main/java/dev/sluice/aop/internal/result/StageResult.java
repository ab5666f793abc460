package dev.sluice.aop.internal.result;

import java.util.concurrent.CompletableFuture;

import dev.sluice.aop.internal.call.GatedCall;
import dev.sluice.aop.internal.call.StagedCall;
import org.jspecify.annotations.Nullable;

/**
 * A result that comes later: nothing blocks, and any failure completes the stage.
 */
record StageResult(Class<?> content) implements ResultType {

	@Override
	public boolean comesLater() {
		return true;
	}

	@Override
	public @Nullable Object run(GatedCall call) throws Throwable {
		StagedCall staged = new StagedCall(call);
		return call.entersLater() ? staged.start() : staged.startNow();
	}

	@Override
	public @Nullable Object runOnExecutor(GatedCall call) throws Throwable {
		return new StagedCall(call).startNow();
	}

	@Override
	public @Nullable Object empty() {
		return CompletableFuture.completedFuture(EmptyValues.of(this.content));
	}

}
