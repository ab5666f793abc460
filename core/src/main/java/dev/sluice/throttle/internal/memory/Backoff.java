package dev.sluice.throttle.internal.memory;

/**
 * Pause of a call that has lost a race for a word or met a guard.
 */
public final class Backoff {

	/*
	 * Calls that try again at once take the word's cache line from each other, and each
	 * then waits for it far longer than it works. So the loser leaves it to the others
	 * for a few microseconds, in which they come a hundred times, and for longer if it
	 * loses again. Then it yields: the holder of a guard may have lost its processor.
	 */

	private static final int SPINS = 3;

	private static final int PAUSES = 128;

	private Backoff() {
	}

	public static void pause(int losses) {
		if (losses >= SPINS) {
			Thread.yield();
			return;
		}
		for (int i = PAUSES << losses; i > 0; i--) {
			Thread.onSpinWait();
		}
	}

}
