package dev.sluice.benchmarks.limits;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.benchmarks.Rounds;
import dev.sluice.throttle.Throttle;

/**
 * Two threads that call one limit with a million keys. In one part the keys stay; in the
 * other, some calls replace a key by a new one, so that unused keys must be evicted.
 * Prints the nanoseconds a call of both parts alternately, the new keys a second, the
 * keys that the limit keeps at the end, and the bytes of its heap then. Arguments: the
 * contender, the keys, the rounds.
 */
final class KeyTurnover {

	static final String STAYING = "keys that stay";

	static final String REPLACED = "keys that come and go";

	static final String NEW = "new keys a second";

	static final String KEPT = "keys kept";

	static final String BYTES = "bytes";

	private static final int THREADS = 2;

	/** So many calls of a million keys replace one, and more where there are fewer. */
	private static final int CALLS_A_NEW_KEY = 10;

	private static final int MILLION = 1_000_000;

	private static final int CHUNK = 1_000;

	private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(4);

	private static final long MEASURE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private final Throttle throttle;

	/** Threads race to replace one; each call uses the key it finds. */
	private final String[] keys;

	private final AtomicInteger made;

	private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);

	private KeyTurnover(Contender contender, int keys) {
		this.throttle = contender.throttle(Path.ADMITTED, keys);
		this.keys = Keys.make(keys);
		this.made = new AtomicInteger(keys);
	}

	public static void main(String[] args) throws Exception {
		KeyTurnover load = new KeyTurnover(Contender.valueOf(args[0]), Integer.parseInt(args[1]));
		int rounds = Integer.parseInt(args[2]);
		load.nanos(false, WARM_UP_NANOS);
		load.nanos(true, WARM_UP_NANOS);
		for (int round = 0; round < rounds; round++) {
			System.out.println(Rounds.line(STAYING, load.nanos(false, MEASURE_NANOS)));
			int before = load.made.get();
			System.out.println(Rounds.line(REPLACED, load.nanos(true, MEASURE_NANOS)));
			System.out.println(Rounds.line(NEW, (load.made.get() - before) * 1e9 / MEASURE_NANOS));
		}
		System.out.println(Rounds.line(KEPT, load.throttle.snapshot(0).keys()));
		System.out.println(Rounds.line(BYTES, BytesPerKey.used()));
		System.exit(load.throttle.snapshot(0).rejected() == 0 ? 0 : 1);
	}

	private double nanos(boolean replaced, long nanos) throws Exception {
		CyclicBarrier start = new CyclicBarrier(THREADS);
		Future<Double> other = this.pool.submit(() -> call(replaced, nanos, start));
		double one = this.pool.submit(() -> call(replaced, nanos, start)).get();
		return (one + other.get()) / THREADS;
	}

	private double call(boolean replaced, long nanos, CyclicBarrier start) throws Exception {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		start.await();
		long startNanos = System.nanoTime();
		int callsANewKey = (int) ((long) CALLS_A_NEW_KEY * MILLION / this.keys.length);
		long calls = 0;
		long elapsed;
		do {
			for (int i = 0; i < CHUNK; i++) {
				int place = random.nextInt(this.keys.length);
				if (replaced && random.nextInt(callsANewKey) == 0) {
					this.keys[place] = "tenant-" + this.made.getAndIncrement();
				}
				long wait = this.throttle.tryAcquireNanos(this.keys[place], 1);
				if (wait != 0) {
					throw new IllegalStateException("Rejected for " + wait + " ns with "
							+ this.throttle.snapshot(0).keys() + " keys, " + this.made + " made");
				}
			}
			calls += CHUNK;
			elapsed = System.nanoTime() - startNanos;
		}
		while (elapsed < nanos);
		return (double) elapsed / calls;
	}

}
