package dev.sluice.cluster.internal;

import java.util.Map;

import dev.sluice.bus.Position;
import dev.sluice.cluster.internal.feed.Replay;
import dev.sluice.cluster.internal.trace.PropagatedHeaders;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.BoundedLog;
import dev.sluice.websocket.message.EncodedSize;
import dev.sluice.websocket.message.JsonLimits;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.message.WrittenMessage;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.util.Assert;
import org.springframework.web.socket.TextMessage;

/**
 * Payload of a topic: {@code 1} if the publisher waits for receipts, or {@code 0}; the
 * lengths of the type, if the message has one, and of the JSON, each followed by a colon;
 * then the type, the propagated headers and the JSON.
 * <p>
 * The JSON is checked when it is published. Nodes insert the topic and the position
 * without parsing it, so that no limit of a parser prevents its delivery.
 */
final class TopicPayload {

	private static final char TOLD = '1';

	private static final char UNTOLD = '0';

	private static final char COLON = ':';

	private final JsonMapper mapper = JsonMapper.shared();

	private final JsonMessages messages;

	private final BoundedLog unreadable;

	TopicPayload(JsonMessages messages, NanoClock clock) {
		this.messages = messages;
		this.unreadable = new BoundedLog(LogFactory.getLog(TopicPayload.class), clock,
				"A message of a topic cannot be read; members are sent a gap in its place");
	}

	/**
	 * Writes a message.
	 * @param headers the headers to send with it to other nodes
	 * @throws IllegalArgumentException if it cannot be published, or exceeds one of the
	 * {@linkplain JsonLimits limits} of its readers
	 */
	String write(Object message, boolean told, Map<String, String> headers) {
		try {
			return writeSendable(message, told, headers);
		}
		catch (RuntimeException ex) {
			this.messages.reportUnsendable(message, ex);
			throw ex;
		}
	}

	private String writeSendable(Object message, boolean told, Map<String, String> headers) {
		WrittenMessage written = this.messages.write(message);
		Assert.isInstanceOf(TextMessage.class, written.message(), "Only text and JSON can be published to a topic");
		String text = JsonLimits.text(((TextMessage) written.message()).getPayload());
		boolean plain = message instanceof CharSequence || message instanceof TextMessage;
		String json = plain ? JsonLimits.text(this.mapper.writeValueAsString(text)) : text.strip();
		String type = plain ? null : check(json);
		if (!json.startsWith("{") && this.messages.typeProperty().equals("type")) {
			type = "message";
		}
		StringBuilder payload = new StringBuilder(json.length() + 16).append(told ? TOLD : UNTOLD);
		if (type != null) {
			payload.append(type.length());
		}
		payload.append(COLON).append(json.length()).append(COLON);
		if (type != null) {
			payload.append(type);
		}
		return payload.append(PropagatedHeaders.write(headers, json)).toString();
	}

	/** Checks JSON, and returns its type. */
	private @Nullable String check(String json) {
		String[] type = new String[1];
		JsonToken first = JsonLimits.scan(json, (name, value) -> {
			Assert.isTrue(!name.equals("topic") && !name.equals("at"),
					"A message of a topic must have no property 'topic' or 'at'");
			if (name.equals(this.messages.typeProperty())) {
				type[0] = value;
			}
		});
		Assert.isTrue(first != null, "A message of a topic must be text or one JSON value");
		return type[0];
	}

	/** Returns whether the publisher waits for receipts. */
	static boolean isTold(String payload) {
		return payload.startsWith("1");
	}

	/**
	 * Returns the headers that came with a message from another node, empty if they
	 * cannot be read.
	 */
	static Map<String, String> headers(String payload) {
		try {
			Parts parts = Parts.of(payload);
			int json = payload.length() - parts.jsonLength;
			return (parts.body < json) ? PropagatedHeaders.of(payload.substring(parts.body, json), 0) : Map.of();
		}
		catch (RuntimeException ex) {
			return Map.of();
		}
	}

	/**
	 * Returns the JSON sent to members: the message, or a gap if it cannot be read.
	 */
	String frame(String topic, String payload, @Nullable Position at) {
		WrittenMessage message = message(topic, payload, at);
		return ((TextMessage) ((message != null) ? message : gap(topic, at)).message()).getPayload();
	}

	/**
	 * Returns the message for members, without a position if it was sent to this node
	 * only; {@code null} if it cannot be read and a gap replaces it.
	 */
	@Nullable WrittenMessage message(String topic, String payload, @Nullable Position at) {
		try {
			Parts parts = Parts.of(payload);
			String frame = splice(topic, payload, payload.length() - parts.jsonLength, at);
			EncodedSize.of(frame);
			return new WrittenMessage(new TextMessage(frame), parts.type, false);
		}
		catch (RuntimeException ex) {
			this.unreadable.warn("topic '" + topic + "', position " + at, ex);
			return null;
		}
	}

	private String splice(String topic, String payload, int json, @Nullable Position at) {
		String where = "\"topic\":" + quoted(topic) + ((at != null) ? ",\"at\":" + quoted(at.toString()) : "") + "}";
		if (payload.charAt(json) != '{') {
			return "{\"type\":\"message\",\"data\":" + payload.substring(json) + "," + where;
		}
		int last = payload.length() - 1;
		Assert.isTrue(last > json && payload.charAt(last) == '}', "JSON of a topic is not whole");
		String open = payload.substring(json, last).stripTrailing();
		return open + (open.equals("{") ? "" : ",") + where;
	}

	/** Returns the frame that notifies members of a gap before the next message. */
	WrittenMessage gap(String topic, @Nullable Position at) {
		ObjectNode frame = this.mapper.createObjectNode().put("type", "gap").put("topic", topic);
		if (at != null) {
			frame.put("at", at.toString());
		}
		return new WrittenMessage(new TextMessage(frame.toString()), "gap", false);
	}

	/** Returns the frame that notifies a resuming member of its position. */
	WrittenMessage joined(String topic, @Nullable Position at) {
		ObjectNode frame = this.mapper.createObjectNode()
			.put("type", "joined")
			.put("topic", topic)
			.put("at", Replay.text(at));
		return new WrittenMessage(new TextMessage(frame.toString()), "joined", false);
	}

	private String quoted(String text) {
		return this.mapper.writeValueAsString(text);
	}

	/**
	 * Parts of a payload.
	 *
	 * @param type the type, or {@code null}
	 * @param body the start of the headers, or of the JSON without headers
	 * @param jsonLength the length of the JSON at the end of the payload
	 */
	private record Parts(@Nullable String type, int body, int jsonLength) {

		static Parts of(String payload) {
			int lengths = payload.indexOf(COLON);
			int begin = payload.indexOf(COLON, lengths + 1) + 1;
			if (lengths < 1 || begin < 1) {
				throw new IllegalArgumentException("Not the payload of a topic message");
			}
			int jsonLength = Integer.parseInt(payload, lengths + 1, begin - 1, 10);
			String type = null;
			int body = begin;
			if (lengths > 1) {
				body += Integer.parseInt(payload, 1, lengths, 10);
				type = payload.substring(begin, body);
			}
			if (jsonLength < 1 || body + jsonLength > payload.length()) {
				throw new IllegalArgumentException("Payload of a topic is not whole");
			}
			return new Parts(type, body, jsonLength);
		}

	}

}
