package dev.sluice.batch;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A pump whose stages end when the test says so. */
class HeldPump implements BatchPump<Integer> {

	private final List<Call> calls = new CopyOnWriteArrayList<>();

	@Override
	public CompletionStage<?> pump(List<Integer> items, int slot) {
		Call call = new Call(List.copyOf(items), slot, new CompletableFuture<>());
		this.calls.add(call);
		return call.stage;
	}

	Call call(int index) {
		return this.calls.get(index);
	}

	int count() {
		return this.calls.size();
	}

	List<List<Integer>> batches() {
		return this.calls.stream().map(Call::items).toList();
	}

	record Call(List<Integer> items, int slot, CompletableFuture<Void> stage) {

		void succeed() {
			this.stage.complete(null);
		}

		void fail(String message) {
			this.stage.completeExceptionally(new IllegalStateException(message));
		}

	}

}
