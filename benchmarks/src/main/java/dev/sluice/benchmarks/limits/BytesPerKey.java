package dev.sluice.benchmarks.limits;

/**
 * Prints the bytes that a contender keeps for one more key, its map entry included and
 * the key itself not. Enough limiters have enough keys that their bytes stand out from
 * other allocations of the JVM. Arguments: the contender and how many keys one limiter
 * has. Meant for a JVM with a serial collector.
 */
final class BytesPerKey {

	private static final int COLLECTIONS = 4;

	/** Fewer objects than these weigh less than other allocations of the JVM. */
	private static final int ENOUGH = 100_000;

	private BytesPerKey() {
	}

	public static void main(String[] args) {
		Contender contender = Contender.valueOf(args[0]);
		int count = Integer.parseInt(args[1]);
		String[] keys = Keys.make(count);
		Limiter warm = contender.create(Path.REJECTED, count);
		warm.tryAcquire("warm");
		Limiter[] limiters = new Limiter[groups(count)];
		long before = used();
		for (int i = 0; i < limiters.length; i++) {
			limiters[i] = contender.create(Path.REJECTED, count);
			for (String key : keys) {
				limiters[i].tryAcquire(key);
			}
		}
		double bytes = (double) (used() - before) / limiters.length / count;
		if (limiters[0].tryAcquire(keys[0]) || warm.tryAcquire("warm")) {
			throw new IllegalStateException("A key was forgotten");
		}
		System.out.println(bytes);
	}

	/** How many times something of so many parts is made, to be weighed together. */
	static int groups(int parts) {
		return Math.max(1, ENOUGH / parts);
	}

	static long used() {
		for (int i = 0; i < COLLECTIONS; i++) {
			System.gc();
		}
		Runtime runtime = Runtime.getRuntime();
		return runtime.totalMemory() - runtime.freeMemory();
	}

}
