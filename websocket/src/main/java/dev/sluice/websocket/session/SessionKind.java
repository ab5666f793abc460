package dev.sluice.websocket.session;

import java.util.function.Supplier;

import dev.sluice.websocket.outbound.FullBuffer;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.SessionLimits;
import org.jspecify.annotations.Nullable;

/**
 * Kind of session, from the point of view of its handler.
 *
 * @param type the type under which it is counted
 * @param readAhead whether messages are read before earlier ones are handled, because
 * they could pass them
 * @param fullBuffer strategy for messages that exceed the send buffer
 * @param sendLimits supplies the limits of a session that opens, or {@code null} for the
 * limits of all sessions
 */
public record SessionKind(String type, boolean readAhead, FullBuffer fullBuffer,
		Supplier<@Nullable SendLimits> sendLimits) {

	/** Creates a kind with the limits of all sessions. */
	public SessionKind(String type, boolean readAhead, FullBuffer fullBuffer) {
		this(type, readAhead, fullBuffer, () -> null);
	}

	/** Returns the limits of a session that opens now. */
	public SessionLimits limits(SessionLimits ofAll) {
		SendLimits own = this.sendLimits.get();
		return (own != null) ? ofAll.withSend(own) : ofAll;
	}

}
