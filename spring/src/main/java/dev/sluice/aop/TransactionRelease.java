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

	/** Releases a permit, at once if the thread has no active transaction. */
	static void release(Permit permit) {
		if (TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.isActualTransactionActive()) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionRelease(permit));
		}
		else {
			permit.close();
		}
	}

	@Override
	public void afterCompletion(int status) {
		this.permit.close();
	}

}
