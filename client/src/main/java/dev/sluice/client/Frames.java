package dev.sluice.client;

import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what a server says. */
final class Frames {

	private Frames() {
	}

	/** Returns the object that a text has, or {@code null} if it has none. */
	static @Nullable JsonNode parse(String text) {
		try {
			JsonNode frame = JsonMapper.shared().readTree(text);
			return frame.isObject() ? frame : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	static NewSession newSession(JsonNode frame) {
		return new NewSession(id(frame), window(frame), frame.path("rejected").asString(null));
	}

	static ResumedSession resumedSession(JsonNode frame) {
		Map<String, Boolean> recovered = new HashMap<>();
		frame.path("recovered")
			.properties()
			.forEach((flag) -> recovered.put(flag.getKey(), flag.getValue().asBoolean(false)));
		return new ResumedSession(id(frame), window(frame), recovered, frame.path("direct").asBoolean(false));
	}

	private static String id(JsonNode frame) {
		return frame.path("id").asString("");
	}

	private static Duration window(JsonNode frame) {
		return Duration.ofSeconds(frame.path("window").asLong(0));
	}

	/**
	 * Returns the times that a "goodbye" names, or {@code null} if they make no sense.
	 */
	static BackOff.@Nullable ReconnectHint reconnectHint(JsonNode frame) {
		JsonNode reconnect = frame.path("reconnect");
		return BackOff.ReconnectHint.of(reconnect.path(0).asDouble(-1), reconnect.path(1).asDouble(-1));
	}

	/** Returns how long the server wants a rejected handshake to wait, if it does. */
	static Duration retryAfter(Throwable failure) {
		if (failure instanceof WebSocketHandshakeException rejection) {
			return rejection.getResponse()
				.headers()
				.firstValue("Retry-After")
				.filter((value) -> value.matches("\\d{1,3}"))
				.map((seconds) -> Duration.ofSeconds(Long.parseLong(seconds)))
				.orElse(Duration.ZERO);
		}
		return Duration.ZERO;
	}

}
