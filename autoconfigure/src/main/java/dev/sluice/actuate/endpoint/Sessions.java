package dev.sluice.actuate.endpoint;

import org.jspecify.annotations.Nullable;

/** The open WebSocket sessions, if the application has any. */
interface Sessions {

	/** Counts them. */
	SessionsDescriptor count();

	/** Describes one session; null if no session has the id. */
	@Nullable SessionDescriptor describe(String id, NameVisibility names);

	/**
	 * Closes a session with 1008 (policy violation), or abandons a session whose client
	 * has left.
	 * @return whether a session has the id
	 */
	boolean close(String id);

}
