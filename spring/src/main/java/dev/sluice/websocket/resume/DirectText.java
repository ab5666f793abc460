package dev.sluice.websocket.resume;

import java.util.Set;

import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.message.WrittenMessage;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;
import org.springframework.web.socket.TextMessage;

/**
 * A direct message as a client gets it that resumes: an object with a number.
 *
 * @param head the object without the brace that closes it
 */
record DirectText(String head) {

	private static final Set<String> RESERVED = Set.of("session", "resumed", "joined", "gap", "goodbye");

	private static final JsonMapper MAPPER = JsonMapper.shared();

	/**
	 * Reads a message.
	 * @throws IllegalArgumentException if it cannot be numbered
	 */
	static DirectText of(WrittenMessage written) {
		Assert.isTrue(written.message() instanceof TextMessage,
				"Only text and JSON can be sent to a session that resumes");
		String text = ((TextMessage) written.message()).getPayload();
		if (!isObject(text)) {
			return new DirectText("{\"type\":\"message\",\"data\":" + MAPPER.writeValueAsString(text));
		}
		return new DirectText(text.substring(0, text.lastIndexOf('}')).stripTrailing());
	}

	/**
	 * Returns whether a text is one JSON object, whose properties can stay as they are.
	 */
	private static boolean isObject(String text) {
		if (!text.startsWith("{")) {
			return false;
		}
		String type = null;
		try (JsonParser parser = MAPPER.createParser(text)) {
			parser.nextToken();
			for (String name = parser.nextName(); name != null; name = parser.nextName()) {
				Assert.isTrue(!name.equals("seq"), "A message to a session that resumes must have no property 'seq'");
				JsonToken value = parser.nextToken();
				if (name.equals("type") && value == JsonToken.VALUE_STRING) {
					type = parser.getString();
				}
				parser.skipChildren();
			}
			if (parser.nextToken() != null) {
				return false;
			}
		}
		catch (JacksonException ex) {
			return false;
		}
		String reserved = type;
		Assert.isTrue(type == null || !RESERVED.contains(type),
				() -> "A message to a session that resumes must not be of type '" + reserved + "'");
		return true;
	}

	/** Returns the message with its number. */
	TextMessage numbered(long number) {
		return new TextMessage(this.head + (this.head.equals("{") ? "" : ",") + "\"seq\":" + number + "}");
	}

	/** Returns the bytes that it costs while it is kept, about. */
	int cost() {
		return MessageCost.SENT + this.head.length();
	}

}
