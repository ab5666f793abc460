package dev.sluice.sample;

/**
 * Request of a customer: well-formed, but not necessarily covered by the account.
 */
sealed interface Command {

	/** A whole number from 1 to 1,000,000. */
	int amount();

	/** Request to deposit money. */
	record Deposit(int amount) implements Command {

		public Deposit {
			requireAmount(amount);
		}

	}

	/** Request to withdraw money. */
	record Withdraw(int amount) implements Command {

		public Withdraw {
			requireAmount(amount);
		}

	}

	private static void requireAmount(int amount) {
		if (amount < 1 || amount > 1_000_000) {
			throw new IllegalArgumentException("'amount' must be from 1 to 1000000: " + amount);
		}
	}

}
