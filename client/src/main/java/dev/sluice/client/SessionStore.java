package dev.sluice.client;

import org.jspecify.annotations.Nullable;

/**
 * Storage of the token and the positions of one session, with which a restarted client
 * resumes. Each client needs its own store. The methods are called by one thread at a
 * time while no other event of the client can proceed, so they should take little time;
 * an exception is reported to {@link ClientListener#onError}.
 *
 * @since 0.1.0
 */
public interface SessionStore {

	/**
	 * Returns the session saved last.
	 * @return the JSON text, or {@code null} if no session is saved
	 */
	@Nullable String load();

	/**
	 * Replaces the saved session.
	 * @param session a JSON text with the secret token, with positions, and with direct
	 * messages that have been received and not handled; {@code null} removes it
	 */
	void save(@Nullable String session);

}
