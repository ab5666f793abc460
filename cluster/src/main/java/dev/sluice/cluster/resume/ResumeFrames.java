package dev.sluice.cluster.resume;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.util.Assert;
import org.springframework.web.socket.TextMessage;

/** Frames that open, resume and acknowledge a session. */
public final class ResumeFrames {

	/** Maximum size of a client's frame of these types. */
	public static final int MAX_SIZE = 64 * 1024;

	private static final int MAX_NAME_LENGTH = 255;

	private static final int MAX_POSITION_LENGTH = 512;

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private ResumeFrames() {
	}

	/** Returns whether a text is a frame of a type. */
	public static boolean isOf(String text, String type) {
		if (!isObject(text) || !text.contains('"' + type + '"')) {
			return false;
		}
		try (JsonParser parser = MAPPER.createParser(text)) {
			parser.nextToken();
			for (String name = parser.nextName(); name != null; name = parser.nextName()) {
				JsonToken value = parser.nextToken();
				if (name.equals("type")) {
					return value == JsonToken.VALUE_STRING && type.equals(parser.getString());
				}
				parser.skipChildren();
			}
			return false;
		}
		catch (JacksonException ex) {
			return false;
		}
	}

	private static boolean isObject(String text) {
		int begin = 0;
		while (begin < text.length() && " \t\r\n".indexOf(text.charAt(begin)) >= 0) {
			begin++;
		}
		return begin < text.length() && text.charAt(begin) == '{';
	}

	/**
	 * Reads the request of a client to resume.
	 * @param maxTopics the maximum number of positions
	 * @throws IllegalArgumentException if it is not a valid frame
	 */
	public static Request readResume(String text, int maxTopics) {
		JsonNode frame = read(text);
		JsonNode token = frame.get("token");
		if (token == null || token.isNull()) {
			return new Request(null, Map.of(), 0);
		}
		Assert.isTrue(token.isString(), "'token' must be a text");
		Map<String, String> positions = new HashMap<>();
		JsonNode at = frame.path("at");
		Assert.isTrue(at.isMissingNode() || at.isObject(), "'at' must be an object");
		Assert.isTrue(at.size() <= maxTopics, "'at' has too many topics");
		at.properties().forEach((one) -> {
			String position = one.getValue().isString() ? one.getValue().stringValue() : "";
			Assert.isTrue(one.getKey().length() <= MAX_NAME_LENGTH && !position.isEmpty()
					&& position.length() <= MAX_POSITION_LENGTH, "'at' contains an invalid position");
			positions.put(one.getKey(), position);
		});
		return new Request(token.stringValue(), positions, frame.has("seq") ? number(frame) : 0);
	}

	/**
	 * Reads the acknowledged number.
	 * @throws IllegalArgumentException if it has no number
	 */
	public static long readAck(String text) {
		return number(read(text));
	}

	private static JsonNode read(String text) {
		try {
			return MAPPER.readTree(text);
		}
		catch (JacksonException ex) {
			throw new IllegalArgumentException("Frame is no JSON", ex);
		}
	}

	private static long number(JsonNode frame) {
		JsonNode number = frame.path("seq");
		Assert.isTrue(number.isIntegralNumber() && number.canConvertToLong() && number.longValue() >= 0
				&& number.longValue() < 1L << 53, "'seq' must be a number");
		return number.longValue();
	}

	/** Writes the first frame to a new session. */
	public static WrittenMessage session(String id, @Nullable String token, Duration window,
			@Nullable String rejected) {
		ObjectNode frame = MAPPER.createObjectNode().put("type", "session").put("id", id);
		if (token != null) {
			frame.put("token", token).put("window", window.toMillis() / 1000.0);
		}
		if (rejected != null) {
			frame.put("rejected", rejected);
		}
		return frame("session", frame);
	}

	/** Writes the first frame to a resumed session. */
	public static WrittenMessage resumed(String id, String token, Duration window, Map<String, Boolean> recovered,
			boolean direct) {
		ObjectNode frame = MAPPER.createObjectNode()
			.put("type", "resumed")
			.put("id", id)
			.put("token", token)
			.put("window", window.toMillis() / 1000.0);
		ObjectNode topics = frame.putObject("recovered");
		recovered.forEach(topics::put);
		return frame("resumed", frame.put("direct", direct));
	}

	private static WrittenMessage frame(String type, ObjectNode frame) {
		return new WrittenMessage(new TextMessage(frame.toString()), type, false);
	}

	/**
	 * Request of a client to resume.
	 *
	 * @param token its token, or {@code null} for a new session
	 * @param positions its latest positions, by topics
	 * @param received the number of the latest direct message that it has received
	 */
	public record Request(@Nullable String token, Map<String, String> positions, long received) {
	}

}
