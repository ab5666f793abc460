package dev.sluice.sample;

/** Answer of the bank. */
sealed interface Reply {

	/** The command is done, and this is the balance since. */
	record Receipt(long balance) implements Reply {
	}

	/** The command is not done, and the balance is as before. */
	record Error(String reason, long balance) implements Reply {
	}

}
