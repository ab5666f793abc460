package dev.sluice.websocket;

import java.util.List;

/**
 * Journal of the messages to clients: it receives one {@link SentMessage} for each text
 * or binary message of any session, once the message was sent or has failed. A bean of
 * this type is called by {@link dev.sluice.websocket.journal.SentMessageRecorder}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SentMessageJournal {

	/**
	 * Writes some records, in the order in which their messages ended. Called by one
	 * thread at a time, a worker, which may block: sessions do not wait for it. If it
	 * throws, it is called again with the same records after a while, so it should write
	 * all records or none.
	 * @param messages the records; at least one; read-only, may be kept
	 * @throws Exception if the records are to be written later
	 */
	void write(List<SentMessage> messages) throws Exception;

}
