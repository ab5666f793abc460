package dev.sluice.websocket.outbound;

/** Messages to one client that can be sent later, as there is a history of them. */
public interface RecoverableStream {

	/**
	 * Drops what waits of the messages, and sends it later; called on any thread.
	 * @return whether anything was dropped
	 */
	boolean fallBehind();

	/** There is room for what was dropped. Called once for each wait, on any thread. */
	void roomFound();

}
