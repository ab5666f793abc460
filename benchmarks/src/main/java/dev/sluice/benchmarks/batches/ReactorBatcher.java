package dev.sluice.benchmarks.batches;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * Reactor's {@code bufferTimeout} behind a sink per slot: unbounded, no futures. Batches
 * go to the pool, behind a buffer because {@code bufferTimeout} fails where they meet no
 * demand, or stay on the thread that pushes.
 */
final class ReactorBatcher implements Batcher {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final ExecutorService pool = Threads.pool();

	private final List<Sinks.Many<Integer>> sinks = new ArrayList<>();

	ReactorBatcher(int slots, Duration interval, CountingPump pump, boolean onPool) {
		for (int i = 0; i < slots; i++) {
			int slot = i;
			Sinks.Many<Integer> sink = Sinks.many().unicast().onBackpressureBuffer();
			Flux<List<Integer>> batches = sink.asFlux().bufferTimeout(BATCH_SIZE, interval);
			(onPool ? batches.onBackpressureBuffer().publishOn(Schedulers.fromExecutor(this.pool)) : batches)
				.subscribe((items) -> pump.accept(items, slot), (failure) -> {
					throw new IllegalStateException("Slot " + slot + " has ended", failure);
				});
			this.sinks.add(sink);
		}
	}

	@Override
	public void push(Integer item, int slot) {
		this.sinks.get(slot).emitNext(item, Sinks.EmitFailureHandler.busyLooping(LONG));
	}

	@Override
	public void close() {
		this.sinks.forEach((sink) -> sink.emitComplete(Sinks.EmitFailureHandler.busyLooping(LONG)));
		this.pool.shutdown();
	}

}
