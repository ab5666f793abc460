package dev.sluice.websocket.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/**
 * Head of a STOMP frame that the server sends, read without decoding the frame. If a
 * header occurs twice, the first one counts, as STOMP specifies.
 */
final class StompFrameHead {

	private StompFrameHead() {
	}

	/** Returns the destination of a MESSAGE. */
	static @Nullable String destination(WebSocketMessage<?> frame) {
		String destination = header(frame, "MESSAGE", "destination");
		return (destination != null) ? unescape(destination) : null;
	}

	/** Returns the user of a CONNECTED frame, in which nothing is escaped. */
	static @Nullable String connectedUser(WebSocketMessage<?> frame) {
		return header(frame, "CONNECTED", "user-name");
	}

	private static @Nullable String header(WebSocketMessage<?> frame, String command, String name) {
		String start = name + ":";
		return Stream.of(head(frame.getPayload(), command + "\n").split("\n"))
			.filter((line) -> line.startsWith(start))
			.map((line) -> line.substring(start.length()))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Returns the lines before the body, or an empty text if the frame has another
	 * command.
	 */
	private static String head(Object payload, String command) {
		if (payload instanceof String text) {
			int end = text.indexOf("\n\n");
			return text.startsWith(command) ? text.substring(0, (end >= 0) ? end : text.length()) : "";
		}
		return (payload instanceof ByteBuffer buffer) ? head(buffer.slice(), command) : "";
	}

	private static String head(ByteBuffer frame, String command) {
		for (int i = 0; i < command.length(); i++) {
			if (i == frame.limit() || frame.get(i) != command.charAt(i)) {
				return "";
			}
		}
		int end = command.length();
		while (end < frame.limit() && (frame.get(end) != '\n' || frame.get(end - 1) != '\n')) {
			end++;
		}
		return StandardCharsets.UTF_8.decode(frame.limit(end)).toString();
	}

	private static String unescape(String value) {
		if (value.indexOf('\\') < 0) {
			return value;
		}
		StringBuilder text = new StringBuilder(value.length());
		for (int i = 0; i < value.length(); i++) {
			char next = value.charAt(i);
			if (next == '\\' && i + 1 < value.length()) {
				i++;
				next = switch (value.charAt(i)) {
					case 'c' -> ':';
					case 'n' -> '\n';
					case 'r' -> '\r';
					default -> value.charAt(i);
				};
			}
			text.append(next);
		}
		return text.toString();
	}

}
