package dev.sluice.benchmarks.batches;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.sluice.benchmarks.Rounds;

/**
 * Runs all contenders one after the other under one load and prints the million items a
 * second of each in each round. Arguments: slots, producers, rounds.
 */
final class BatchRounds {

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1200);

	private static final long MEASURE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

	private static final int WARM_UPS = 3;

	private BatchRounds() {
	}

	public static void main(String[] args) {
		int slots = Integer.parseInt(args[0]);
		Load load = new Load(slots, Integer.parseInt(args[1]));
		int rounds = Integer.parseInt(args[2]);
		List<CountingPump> pumps = new ArrayList<>();
		List<Batcher> batchers = new ArrayList<>();
		for (Contender contender : Contender.values()) {
			CountingPump pump = new CountingPump(slots);
			pumps.add(pump);
			batchers.add(contender.create(slots, Load.ITEMS, INTERVAL, pump));
		}
		for (int warmUp = 0; warmUp < WARM_UPS; warmUp++) {
			for (int i = 0; i < batchers.size(); i++) {
				throughput(load, batchers.get(i), pumps.get(i), WARM_UP_NANOS / WARM_UPS);
			}
		}
		for (int round = 0; round < rounds; round++) {
			for (int turn = 0; turn < batchers.size(); turn++) {
				int next = (round + turn) % batchers.size();
				double throughput = throughput(load, batchers.get(next), pumps.get(next), MEASURE_NANOS);
				System.out.println(Rounds.line(Contender.values()[next].title, throughput));
			}
		}
		System.exit(0);
	}

	/** Million items a second. */
	private static double throughput(Load load, Batcher batcher, CountingPump pump, long nanos) {
		long start = System.nanoTime();
		long items = 0;
		long elapsed;
		do {
			load.run(batcher, pump);
			items += Load.ITEMS;
			elapsed = System.nanoTime() - start;
		}
		while (elapsed < nanos);
		return items * 1e3 / elapsed;
	}

}
