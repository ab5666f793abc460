package dev.sluice.websocket.cluster.internal;

import java.util.Map;

import dev.sluice.cluster.Position;
import dev.sluice.websocket.cluster.internal.feed.Replay;
import dev.sluice.websocket.cluster.internal.trace.PropagatedHeaders;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.message.WrittenMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.util.Assert;
import org.springframework.web.socket.TextMessage;

/**
 * Payload of a topic: JSON, behind a letter that tells whether its publisher wants to
 * know what becomes of it.
 */
final class TopicPayload {

	private static final char TOLD = '1';

	private static final char UNTOLD = '0';

	private final JsonMapper mapper = JsonMapper.shared();

	private final JsonMessages messages;

	TopicPayload(JsonMessages messages) {
		this.messages = messages;
	}

	/**
	 * Writes a message.
	 * @param headers what goes with it to other nodes
	 * @throws IllegalArgumentException if it cannot be published
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
		String text = ((TextMessage) written.message()).getPayload();
		boolean plain = message instanceof CharSequence || message instanceof TextMessage;
		if (!plain && this.messages.read(text) instanceof ObjectNode object) {
			Assert.isTrue(!object.has("topic") && !object.has("at"),
					"A message of a topic must have no property 'topic' or 'at'");
		}
		return (told ? TOLD : UNTOLD)
				+ PropagatedHeaders.write(headers, plain ? this.mapper.writeValueAsString(text) : text);
	}

	/** Returns whether the publisher wants to know what becomes of it. */
	static boolean isTold(String payload) {
		return payload.charAt(0) == TOLD;
	}

	/** Returns what came with a message from another node. */
	static Map<String, String> headers(String payload) {
		return PropagatedHeaders.of(payload, 1);
	}

	/** Writes what members are sent; what has no position was sent to this node only. */
	String frame(String topic, String payload, @Nullable Position at) {
		String json = PropagatedHeaders.text(payload, 1);
		String where = "\"topic\":" + quoted(topic) + ((at != null) ? ",\"at\":" + quoted(at.toString()) : "") + "}";
		if (json.startsWith("{")) {
			String open = json.substring(0, json.lastIndexOf('}')).stripTrailing();
			return open + (open.equals("{") ? "" : ",") + where;
		}
		return "{\"type\":\"message\",\"data\":" + json + "," + where;
	}

	/** Returns the message for members. */
	WrittenMessage message(String topic, String payload, @Nullable Position at) {
		String frame = frame(topic, payload, at);
		JsonNode type = this.messages.read(frame).get(this.messages.typeProperty());
		return new WrittenMessage(new TextMessage(frame), (type != null && type.isString()) ? type.stringValue() : null,
				false);
	}

	/** Returns what tells members that something is missing before what follows. */
	WrittenMessage gap(String topic, @Nullable Position at) {
		ObjectNode frame = this.mapper.createObjectNode().put("type", "gap").put("topic", topic);
		if (at != null) {
			frame.put("at", at.toString());
		}
		return new WrittenMessage(new TextMessage(frame.toString()), "gap", false);
	}

	/** Returns what tells a member that resumes where it has joined. */
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

}
