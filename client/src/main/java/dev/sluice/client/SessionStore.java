package dev.sluice.client;

import org.jspecify.annotations.Nullable;

/**
 * Storage of one session's token and positions, by which a client that is started again
 * resumes. Each client needs a store of its own. The methods are called by one thread at
 * a time while no other event of the client can proceed, so they should take little time;
 * an exception is reported to {@link ClientListener#onError}.
 *
 * @since 0.1.0
 */
public interface SessionStore {

	/**
	 * Returns what was saved last.
	 * @return the text, or {@code null} if there is none
	 */
	@Nullable String load();

	/**
	 * Replaces what was saved.
	 * @param session a JSON text with the secret token, with positions, and with direct
	 * messages that have been received and not handled; {@code null} removes it
	 */
	void save(@Nullable String session);

}
