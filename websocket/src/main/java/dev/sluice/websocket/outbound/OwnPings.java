package dev.sluice.websocket.outbound;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.springframework.web.socket.PingMessage;
import org.springframework.web.socket.PongMessage;

/** Pings of the server, which differ from pings of applications. */
public final class OwnPings {

	private static final ByteBuffer PING = StandardCharsets.US_ASCII.encode("sluice").asReadOnlyBuffer();

	private OwnPings() {
	}

	static PingMessage ping() {
		return new PingMessage(PING.duplicate());
	}

	/** Returns whether a pong answers one of them. */
	public static boolean isAnsweredBy(PongMessage pong) {
		return pong.getPayload().equals(PING);
	}

}
