package dev.sluice.websocket.container;

import org.jspecify.annotations.Nullable;

/**
 * Reports of the end of a message, which the thread that sends it runs, where the
 * container would hand that to another thread although the message is out already.
 */
final class SendReports {

	/*
	 * A container must not report on the stack of the call that sends, lest the sending
	 * of the next message from the report nests without end. Here the report is kept
	 * until that call has returned; it may send itself then.
	 */

	private static final ThreadLocal<SendReports> OF_THREAD = ThreadLocal.withInitial(SendReports::new);

	private boolean sending;

	private @Nullable Runnable kept;

	private SendReports() {
	}

	/** Runs what sends, and then the report that was kept meanwhile, if one was. */
	static void runAfter(Runnable send) {
		SendReports reports = OF_THREAD.get();
		reports.sending = true;
		try {
			send.run();
		}
		finally {
			reports.sending = false;
			Runnable report = reports.kept;
			reports.kept = null;
			if (report != null) {
				report.run();
			}
		}
	}

	/**
	 * Keeps a report for the calling thread, if it sends a message at present.
	 * @return whether it does; otherwise the report is left to the caller
	 */
	static boolean keep(Runnable report) {
		SendReports reports = OF_THREAD.get();
		if (!reports.sending || reports.kept != null) {
			return false;
		}
		reports.kept = report;
		return true;
	}

}
