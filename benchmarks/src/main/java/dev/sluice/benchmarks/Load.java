package dev.sluice.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/** Callers, spread over the nodes, each of whom calls again when it has its answer. */
public final class Load implements AutoCloseable {

	private final ExecutorService threads;

	private final int callers;

	/**
	 * Prepares the threads.
	 * @param callers how many call at a time
	 */
	public Load(int callers) {
		this.threads = Executors.newFixedThreadPool(callers);
		this.callers = callers;
	}

	/**
	 * What became of the calls.
	 *
	 * @param calls how many ended
	 * @param perSecond how many of them a second
	 * @param p99Micros how long a hundredth of them took at least
	 */
	public record Result(long calls, double perSecond, double p99Micros) {
	}

	/**
	 * Calls for a while; a call that is rejected ends the run.
	 * @param nodes the nodes to call
	 * @param nanos for how long
	 * @return what became of the calls
	 */
	public Result run(List<Node> nodes, long nanos) {
		long start = System.nanoTime();
		List<Future<long[]>> running = new ArrayList<>();
		for (int i = 0; i < this.callers; i++) {
			Node node = nodes.get(i % nodes.size());
			running.add(this.threads.submit(() -> times(node, start + nanos)));
		}
		long[] sorted = running.stream().flatMapToLong((caller) -> LongStream.of(result(caller))).sorted().toArray();
		double seconds = (System.nanoTime() - start) / 1e9;
		return new Result(sorted.length, sorted.length / seconds, sorted[sorted.length * 99 / 100] / 1e3);
	}

	private static long[] times(Node node, long end) {
		long[] times = new long[1024];
		int calls = 0;
		long now = System.nanoTime();
		while (now - end < 0) {
			if (!node.tryAcquire()) {
				throw new IllegalStateException("Rejected");
			}
			long then = System.nanoTime();
			if (calls == times.length) {
				times = Arrays.copyOf(times, 2 * calls);
			}
			times[calls++] = then - now;
			now = then;
		}
		return Arrays.copyOf(times, calls);
	}

	private static long[] result(Future<long[]> caller) {
		try {
			return caller.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while callers ran", ex);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

}
