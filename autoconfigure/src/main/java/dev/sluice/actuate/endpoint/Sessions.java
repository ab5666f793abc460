package dev.sluice.actuate.endpoint;

import org.jspecify.annotations.Nullable;

/** The open WebSocket sessions, where the application has them. */
interface Sessions {

	/** Counts them. */
	SessionsDescriptor count();

	/** Describes one; null if none has the id. */
	@Nullable SessionDescriptor describe(String id, NameVisibility names);

	/**
	 * Closes one for a breach of policy, or abandons one whose client has left.
	 * @return whether there was one with the id
	 */
	boolean close(String id);

}
