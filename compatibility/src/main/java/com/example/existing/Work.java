package com.example.existing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The work of handlers. */
final class Work {

	/** The letters of a message of a burst. */
	private static final int LENGTH = 100;

	private Work() {
	}

	/** Takes the time of a slow handler. */
	static void take() {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
	}

	/** Returns the message of a burst that has a number. */
	static String message(int number) {
		String text = String.valueOf(number);
		return text + ".".repeat(LENGTH - text.length());
	}

}
