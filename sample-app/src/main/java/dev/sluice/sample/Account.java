package dev.sluice.sample;

/**
 * Account of one customer. Not thread-safe: see {@link BankSession} for the reason.
 */
final class Account {

	private static final long FIRST_DEPOSIT = 100;

	private long balance;

	Account() {
		this(FIRST_DEPOSIT);
	}

	Account(long balance) {
		this.balance = balance;
	}

	long balance() {
		return this.balance;
	}

	void deposit(int amount) {
		this.balance += amount;
	}

	/** Takes the amount out if there is that much; otherwise leaves the balance alone. */
	boolean withdraw(int amount) {
		if (amount > this.balance) {
			return false;
		}
		this.balance -= amount;
		return true;
	}

}
