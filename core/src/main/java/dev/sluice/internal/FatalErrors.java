package dev.sluice.internal;

import java.lang.Thread.UncaughtExceptionHandler;

/**
 * Errors of the virtual machine in callbacks whose failures do not end the current call.
 * The call ends and releases its resources first. The error is then passed to the
 * {@linkplain UncaughtExceptionHandler handler} of the thread, as if it had ended the
 * thread.
 */
public final class FatalErrors {

	private FatalErrors() {
	}

	/**
	 * Passes a {@link VirtualMachineError} to the handler of the current thread. Other
	 * failures have no effect.
	 * @param failure the failure of the callback
	 */
	public static void passOn(Throwable failure) {
		if (failure instanceof VirtualMachineError) {
			Thread thread = Thread.currentThread();
			try {
				thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
			}
			catch (Throwable ex) {
				// the virtual machine ignores failures of this handler, too
			}
		}
	}

}
