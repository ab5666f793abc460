package dev.sluice.websocket.message;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.sluice.throttle.ThrottledException;
import dev.sluice.websocket.InvalidMessageException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.web.socket.TextMessage;

/** Frames that give a client the reason why its message was not handled. */
public final class FailureFrames {

	private FailureFrames() {
	}

	/** Creates the frame for an error. */
	public static WrittenMessage frame(Throwable error) {
		if (error instanceof ThrottledException rejection) {
			return new WrittenMessage(throttled(rejection), "throttled");
		}
		return new WrittenMessage((error instanceof InvalidMessageException invalid)
				? error(invalid.reason(), invalid.getMessage()) : error("failed", null), "error");
	}

	/** Creates the frame that notifies a client of a message rejected by a limit. */
	public static TextMessage throttled(ThrottledException rejection) {
		ObjectNode frame = frameOf("throttled").put("resource", rejection.resource());
		Duration retryAfter = rejection.retryAfter();
		if (retryAfter != null) {
			frame.put("retryAfter", seconds(retryAfter));
		}
		return new TextMessage(frame.toString());
	}

	private static TextMessage error(String reason, @Nullable String detail) {
		ObjectNode frame = frameOf("error").put("reason", reason);
		if (detail != null) {
			frame.put("detail", encodable(detail));
		}
		return new TextMessage(frame.toString());
	}

	private static ObjectNode frameOf(String type) {
		return JsonNodeFactory.instance.objectNode().put("type", type);
	}

	/** A text from a client may end, or be cut, in the middle of a surrogate pair. */
	private static String encodable(String text) {
		return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
	}

	/**
	 * Returns seconds, rounded up to the millisecond, so that a retry after that time is
	 * not too early.
	 */
	private static double seconds(Duration duration) {
		return -Math.floorDiv(-duration.toNanos(), 1_000_000) / 1000.0;
	}

}
