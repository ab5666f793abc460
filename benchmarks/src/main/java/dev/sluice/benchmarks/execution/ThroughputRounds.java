package dev.sluice.benchmarks.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

import dev.sluice.benchmarks.Rounds;

/**
 * Runs contenders one after the other under one load and prints the million tasks a
 * second of each in each round. Arguments: pool, queues, producers, rounds, contenders.
 */
final class ThroughputRounds {

	private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1200);

	private static final long MEASURE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

	private static final int WARM_UPS = 3;

	private ThroughputRounds() {
	}

	public static void main(String[] args) {
		WorkerPool kind = WorkerPool.valueOf(args[0]);
		int queues = Integer.parseInt(args[1]);
		int producers = Integer.parseInt(args[2]);
		int rounds = Integer.parseInt(args[3]);
		List<Contender> contenders = Arrays.stream(args).skip(4).map(Contender::valueOf).toList();
		ExecutorService pool = kind.create();
		Load load = new Load(queues, producers, 0);
		List<KeyedExecutor> executors = new ArrayList<>();
		for (Contender contender : contenders) {
			executors.add(contender.create(kind, pool, Load.BATCH));
		}
		for (int warmUp = 0; warmUp < WARM_UPS; warmUp++) {
			executors.forEach((executor) -> throughput(load, executor, WARM_UP_NANOS / WARM_UPS));
		}
		for (int round = 0; round < rounds; round++) {
			for (int turn = 0; turn < contenders.size(); turn++) {
				int next = (round + turn) % contenders.size();
				double throughput = throughput(load, executors.get(next), MEASURE_NANOS);
				System.out.println(Rounds.line(contenders.get(next).title, throughput));
			}
		}
		System.exit(0);
	}

	/** Million tasks a second. */
	private static double throughput(Load load, KeyedExecutor executor, long nanos) {
		long start = System.nanoTime();
		long tasks = 0;
		long elapsed;
		do {
			load.run(executor);
			tasks += Load.BATCH;
			elapsed = System.nanoTime() - start;
		}
		while (elapsed < nanos);
		return tasks * 1e3 / elapsed;
	}

}
