package dev.sluice.websocket.session;

import java.util.function.Supplier;

import dev.sluice.websocket.outbound.FullBuffer;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.SessionLimits;
import org.jspecify.annotations.Nullable;

/**
 * Kind of session, as its handler sees it.
 *
 * @param type what it is counted as
 * @param readAhead whether messages are read before those in front of them are handled,
 * since something could pass
 * @param fullBuffer what happens to messages for which the send buffer has no room
 * @param sendLimits supplies the limits of a session that opens, or {@code null} where
 * they are those of all sessions
 */
public record SessionKind(String type, boolean readAhead, FullBuffer fullBuffer,
		Supplier<@Nullable SendLimits> sendLimits) {

	/** Creates a kind whose limits are those of all sessions. */
	public SessionKind(String type, boolean readAhead, FullBuffer fullBuffer) {
		this(type, readAhead, fullBuffer, () -> null);
	}

	/** Returns the limits of a session that opens now. */
	public SessionLimits limits(SessionLimits ofAll) {
		SendLimits own = this.sendLimits.get();
		return (own != null) ? ofAll.withSend(own) : ofAll;
	}

}
