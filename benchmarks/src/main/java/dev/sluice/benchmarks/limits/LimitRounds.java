package dev.sluice.benchmarks.limits;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import com.sun.management.ThreadMXBean;
import dev.sluice.benchmarks.Rounds;

/**
 * Calls contenders one after the other and prints the nanoseconds a call of each in each
 * round, and the bytes it allocated. Arguments: path, threads, keys, rounds, contenders.
 */
final class LimitRounds {

	/** Follows a contender's title where a value is its bytes a call. */
	static final String BYTES = " B/op";

	private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

	private static final long MEASURE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int WARM_UPS = 3;

	private static final int CHUNK = 1_000;

	private final Path path;

	private final int threads;

	private final String[] keys;

	private final ExecutorService pool;

	private LimitRounds(Path path, int threads, int keys) {
		this.path = path;
		this.threads = threads;
		this.keys = Keys.make(keys);
		this.pool = Executors.newFixedThreadPool(threads);
	}

	public static void main(String[] args) throws Exception {
		LimitRounds load = new LimitRounds(Path.valueOf(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
		int rounds = Integer.parseInt(args[3]);
		List<Contender> contenders = Arrays.stream(args).skip(4).map(Contender::valueOf).toList();
		List<Limiter> limiters = new ArrayList<>();
		for (Contender contender : contenders) {
			limiters.add(load.create(contender));
		}
		for (int warmUp = 0; warmUp < WARM_UPS; warmUp++) {
			for (Limiter limiter : limiters) {
				load.measure(limiter, WARM_UP_NANOS);
			}
		}
		for (int round = 0; round < rounds; round++) {
			for (int turn = 0; turn < contenders.size(); turn++) {
				int next = (round + turn) % contenders.size();
				Cost cost = load.measure(limiters.get(next), MEASURE_NANOS);
				System.out.println(Rounds.line(contenders.get(next).title, cost.nanos));
				System.out.println(Rounds.line(contenders.get(next).title + BYTES, cost.bytes));
			}
		}
		System.exit(0);
	}

	/** Every key has been used once, so that later calls take the measured path. */
	private Limiter create(Contender contender) {
		Limiter limiter = contender.create(this.path, this.keys.length);
		for (String key : this.keys) {
			limiter.tryAcquire(key);
		}
		return limiter;
	}

	private Cost measure(Limiter limiter, long nanos) throws Exception {
		CyclicBarrier start = new CyclicBarrier(this.threads);
		Callable<Cost> caller = () -> call(limiter, nanos, start);
		double meanNanos = 0;
		double meanBytes = 0;
		List<Future<Cost>> costs = new ArrayList<>();
		for (int thread = 0; thread < this.threads; thread++) {
			costs.add(this.pool.submit(caller));
		}
		for (Future<Cost> cost : costs) {
			meanNanos += cost.get().nanos / this.threads;
			meanBytes += cost.get().bytes / this.threads;
		}
		return new Cost(meanNanos, meanBytes);
	}

	private Cost call(Limiter limiter, long nanos, CyclicBarrier start) throws Exception {
		ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		Keys keys = new Keys(this.keys);
		boolean expected = this.path == Path.ADMITTED;
		start.await();
		long startBytes = memory.getCurrentThreadAllocatedBytes();
		long startNanos = System.nanoTime();
		long calls = 0;
		long strays = 0;
		long elapsed;
		do {
			for (int i = 0; i < CHUNK; i++) {
				if (limiter.tryAcquire(keys.next()) != expected) {
					strays++;
				}
			}
			calls += CHUNK;
			elapsed = System.nanoTime() - startNanos;
		}
		while (elapsed < nanos);
		long bytes = memory.getCurrentThreadAllocatedBytes() - startBytes;
		if (strays > 0) {
			throw new IllegalStateException(strays + " of " + calls + " calls were not " + this.path);
		}
		return new Cost((double) elapsed / calls, (double) bytes / calls);
	}

	private record Cost(double nanos, double bytes) {
	}

}
