package dev.sluice.batch;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** Pump that passes its signal on. */
final class CancellablePump<T> implements BatchPump<T> {

	private static final CancellationSignal NEVER = new CancellationSignal() {

		@Override
		public boolean isCancelled() {
			return false;
		}

		@Override
		public void onCancel(Runnable callback) {
			Objects.requireNonNull(callback, "'callback' must not be null");
		}

	};

	private final Cancellable<T> pump;

	CancellablePump(Cancellable<T> pump) {
		this.pump = pump;
	}

	@Override
	public CompletionStage<?> pump(List<T> items, int slot) throws Exception {
		return pump(items, slot, NEVER);
	}

	@Override
	public CompletionStage<?> pump(List<T> items, int slot, CancellationSignal cancellation) throws Exception {
		return this.pump.pump(items, slot, cancellation);
	}

}
