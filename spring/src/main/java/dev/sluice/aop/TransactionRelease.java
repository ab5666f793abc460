package dev.sluice.aop;

import dev.sluice.throttle.Permit;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Releases a permit when the transaction of the thread has completed. */
final class TransactionRelease implements TransactionSynchronization {

	private final Permit permit;

	private TransactionRelease(Permit permit) {
		this.permit = permit;
	}

	/** Releases a permit, immediately if the thread has no active transaction. */
	static void release(Permit permit) {
		if (TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.isActualTransactionActive()) {
			register(permit);
		}
		else {
			permit.close();
		}
	}

	private static void register(Permit permit) {
		boolean registered = false;
		try {
			TransactionSynchronizationManager.registerSynchronization(new TransactionRelease(permit));
			registered = true;
		}
		finally {
			if (!registered) {
				permit.close();
			}
		}
	}

	@Override
	public void afterCompletion(int status) {
		this.permit.close();
	}

}
