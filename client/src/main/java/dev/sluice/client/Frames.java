package dev.sluice.client;

import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.sluice.client.SessionPositions.PendingNews;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the frames of a server. */
final class Frames {

	private Frames() {
	}

	/** Returns the JSON object of a text, or {@code null} if it is no JSON object. */
	static @Nullable JsonNode parse(String text) {
		try {
			JsonNode frame = JsonMapper.shared().readTree(text);
			return frame.isObject() ? frame : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	/** Returns the call of the listener for a greeting. */
	static Runnable greeting(JsonNode frame, PendingNews pendingNews, ClientListener listener) {
		if (pendingNews == PendingNews.SESSION) {
			NewSession opened = new NewSession(id(frame), window(frame), frame.path("rejected").asString(null));
			return () -> listener.onSession(opened);
		}
		ResumedSession resumed = new ResumedSession(id(frame), window(frame), recovered(frame),
				pendingNews == PendingNews.NOTHING);
		return () -> listener.onResumed(resumed);
	}

	static Map<String, Boolean> recovered(JsonNode frame) {
		Map<String, Boolean> recovered = new HashMap<>();
		frame.path("recovered")
			.properties()
			.forEach((flag) -> recovered.put(flag.getKey(), flag.getValue().asBoolean(false)));
		return recovered;
	}

	static boolean direct(JsonNode frame) {
		return frame.path("direct").asBoolean(false);
	}

	private static String id(JsonNode frame) {
		return frame.path("id").asString("");
	}

	private static Duration window(JsonNode frame) {
		return Duration.ofSeconds(frame.path("window").asLong(0));
	}

	/**
	 * Returns the times of a "goodbye", or {@code null} if they are not valid.
	 */
	static BackOff.@Nullable ReconnectHint reconnectHint(JsonNode frame) {
		JsonNode reconnect = frame.path("reconnect");
		return BackOff.ReconnectHint.of(reconnect.path(0).asDouble(-1), reconnect.path(1).asDouble(-1));
	}

	/** Returns the delay that the server requests after a rejected handshake, if any. */
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
