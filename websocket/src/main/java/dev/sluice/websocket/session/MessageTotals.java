package dev.sluice.websocket.session;

import java.util.Collection;

import dev.sluice.websocket.message.TotalBuffer;
import dev.sluice.websocket.outbound.RecoverableStreams;
import dev.sluice.websocket.outbound.SessionOutbound;
import dev.sluice.websocket.settings.TotalLimits;

/**
 * Bounds of the messages of all sessions.
 *
 * @param inbound bounds the messages that wait to be handled
 * @param outbound bounds the messages that wait to be sent
 */
public record MessageTotals(TotalBuffer<OrderedWebSocketSession> inbound,
		TotalBuffer<OrderedWebSocketSession> outbound) {

	/**
	 * Creates the bounds.
	 * @param limits the bytes that may wait
	 * @param sessions the sessions that have not ended
	 */
	static MessageTotals of(TotalLimits limits, Collection<OrderedWebSocketSession> sessions) {
		return new MessageTotals(new TotalBuffer<>(limits.inbound(), (session) -> session.pressure().waiting(),
				(session, total) -> session.discard("Session has the most waiting inbound bytes: " + total), sessions),
				new TotalBuffer<>(limits.outbound(), (session) -> session.outbound().waiting(),
						(session, total) -> relieve(session.outbound(), total), sessions));
	}

	private static void relieve(SessionOutbound outbound, TotalBuffer<?> total) {
		RecoverableStreams streams = outbound.streams();
		if (streams == null || !streams.fallBehind()) {
			outbound.cutOffTooSlow("Session has the most waiting outbound bytes: " + total);
		}
	}

}
