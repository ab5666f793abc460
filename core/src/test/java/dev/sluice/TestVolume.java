package dev.sluice;

/**
 * The share of a test that repeats itself: all repetitions with the profile {@code full},
 * a tenth of them without, though not less than three.
 */
public final class TestVolume {

	private static final boolean FULL = Boolean.getBoolean("sluice.test.full");

	private TestVolume() {
	}

	public static int of(int repetitions) {
		return FULL ? repetitions : Math.max(3, repetitions / 10);
	}

}
