package dev.sluice.cluster.resume.outbox;

import java.util.Set;

import dev.sluice.websocket.message.JsonLimits;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.message.WrittenMessage;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;
import org.springframework.web.socket.TextMessage;

/**
 * A direct message in the form for resuming clients: an object with a number.
 *
 * @param head the object without its closing brace
 */
public record DirectText(String head) {

	private static final Set<String> RESERVED = Set.of("session", "resumed", "joined", "gap", "goodbye");

	private static final JsonMapper MAPPER = JsonMapper.shared();

	/**
	 * Reads a message.
	 * @throws IllegalArgumentException if it cannot be numbered, or exceeds one of the
	 * {@linkplain JsonLimits limits} of its readers
	 */
	public static DirectText of(WrittenMessage written) {
		Assert.isTrue(written.message() instanceof TextMessage,
				"Only text and JSON can be sent to a session that resumes");
		String text = JsonLimits.text(((TextMessage) written.message()).getPayload());
		if (!isObject(text)) {
			return new DirectText("{\"type\":\"message\",\"data\":" + MAPPER.writeValueAsString(text));
		}
		return new DirectText(text.substring(0, text.lastIndexOf('}')).stripTrailing());
	}

	/**
	 * Reads a kept message.
	 * @throws IllegalArgumentException if the text is not such a message
	 */
	public static DirectText kept(String head) {
		JsonLimits.text(head);
		Assert.isTrue(isObject(head + "}"), "Message of an outbox is no object");
		return new DirectText(head);
	}

	/**
	 * Returns whether a text is one JSON object, whose properties can be kept unchanged.
	 */
	private static boolean isObject(String text) {
		if (!text.startsWith("{")) {
			return false;
		}
		String[] type = new String[1];
		boolean object = JsonLimits.scan(text, (name, value) -> {
			Assert.isTrue(!name.equals("seq"), "A message to a session that resumes must have no property 'seq'");
			if (name.equals("type")) {
				type[0] = value;
			}
		}) != null;
		Assert.isTrue(!object || type[0] == null || !RESERVED.contains(type[0]),
				() -> "A message to a session that resumes must not be of type '" + type[0] + "'");
		return object;
	}

	/** Returns the message with its number. */
	public TextMessage numbered(long number) {
		return new TextMessage(this.head + (this.head.equals("{") ? "" : ",") + "\"seq\":" + number + "}");
	}

	/** Returns its approximate cost in bytes while it is kept. */
	int cost() {
		return MessageCost.SENT + this.head.length();
	}

}
