package dev.sluice.websocket.outbound;

/** Messages to one client that can be sent later from a history. */
public interface RecoverableStream {

	/**
	 * Drops the waiting messages, and sends them later; called on any thread.
	 * @return whether anything was dropped
	 */
	boolean fallBehind();

	/**
	 * Called when the buffer has room for the dropped messages. Called once for each
	 * wait, on any thread.
	 */
	void roomFound();

}
