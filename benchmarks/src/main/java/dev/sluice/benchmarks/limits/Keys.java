package dev.sluice.benchmarks.limits;

import java.util.concurrent.ThreadLocalRandom;

/** The keys in use, drawn at random by one thread. */
final class Keys {

	private final String[] keys;

	private long random = ThreadLocalRandom.current().nextLong() | 1;

	Keys(String[] keys) {
		this.keys = keys;
	}

	static String[] make(int count) {
		if (count == 1) {
			return new String[] { "" };
		}
		String[] keys = new String[count];
		for (int i = 0; i < count; i++) {
			keys[i] = "tenant-" + i;
		}
		return keys;
	}

	String next() {
		if (this.keys.length == 1) {
			return this.keys[0];
		}
		this.random ^= this.random << 13;
		this.random ^= this.random >>> 7;
		this.random ^= this.random << 17;
		return this.keys[(int) (((this.random >>> 32) * this.keys.length) >>> 32)];
	}

}
