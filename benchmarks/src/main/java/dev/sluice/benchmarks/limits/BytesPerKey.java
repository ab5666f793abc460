package dev.sluice.benchmarks.limits;

/**
 * Prints the bytes that a contender keeps for one more key, its map entry included and
 * the key itself not. Argument: the contender. Meant for a JVM with a serial collector.
 */
final class BytesPerKey {

	private static final int KEYS = 100_000;

	private static final int COLLECTIONS = 4;

	private BytesPerKey() {
	}

	public static void main(String[] args) {
		String[] keys = Keys.make(KEYS);
		Contender contender = Contender.valueOf(args[0]);
		Limiter warm = contender.create(Path.REJECTED, KEYS);
		warm.tryAcquire("warm");
		Limiter limiter = contender.create(Path.REJECTED, KEYS);
		long before = used();
		for (String key : keys) {
			limiter.tryAcquire(key);
		}
		double bytes = (double) (used() - before) / KEYS;
		if (limiter.tryAcquire(keys[0]) || warm.tryAcquire("warm")) {
			throw new IllegalStateException("A key was forgotten");
		}
		System.out.println(bytes);
	}

	private static long used() {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
		}
		Runtime runtime = Runtime.getRuntime();
		return runtime.totalMemory() - runtime.freeMemory();
	}

}
