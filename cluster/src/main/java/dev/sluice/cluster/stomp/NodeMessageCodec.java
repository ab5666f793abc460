package dev.sluice.cluster.stomp;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.sluice.websocket.message.NodeJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Messages to destinations as JSON, without reflection. */
final class NodeMessageCodec {

	private static final String START = "{\"to\":";

	private final JsonMapper mapper = NodeJson.mapper();

	String write(NodeMessage message) {
		ObjectNode node = this.mapper.createObjectNode().put("to", message.destination());
		putIfSet(node, "session", message.sessionId());
		putIfSet(node, "type", message.contentType());
		if (!message.headers().isEmpty()) {
			ObjectNode headers = node.putObject("headers");
			message.headers().forEach((name, values) -> {
				ArrayNode array = headers.putArray(name);
				values.forEach(array::add);
			});
		}
		String text = text(message.payload());
		return NodeJson.write((text != null) ? node.put("text", text)
				: node.put("bytes", Base64.getEncoder().encodeToString(message.payload())));
	}

	/**
	 * Returns whether a text is a message to a destination, without reading all of it.
	 * For a text that is not a message, any destination is possible.
	 */
	boolean mayBeTo(String text, String destination) {
		String start = START + this.mapper.writeValueAsString(destination);
		return !text.startsWith(START) || text.startsWith(start) && text.length() > start.length()
				&& ",}".indexOf(text.charAt(start.length())) >= 0;
	}

	private static void putIfSet(ObjectNode node, String name, @Nullable String value) {
		if (value != null) {
			node.put(name, value);
		}
	}

	/** Returns the text that encodes to these bytes, or {@code null} if none does. */
	private static @Nullable String text(byte[] payload) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

	/**
	 * Reads a message.
	 * @throws RuntimeException if the text is not a message
	 */
	NodeMessage read(String text) {
		JsonNode node = this.mapper.readTree(text);
		Map<String, List<@Nullable String>> headers = new LinkedHashMap<>();
		node.path("headers").properties().forEach((header) -> {
			List<@Nullable String> values = new ArrayList<>();
			header.getValue().forEach((value) -> values.add(value.isNull() ? null : value.asString()));
			headers.put(header.getKey(), values);
		});
		byte[] payload = node.has("text") ? node.required("text").asString().getBytes(StandardCharsets.UTF_8)
				: Base64.getDecoder().decode(node.required("bytes").asString());
		return new NodeMessage(node.required("to").asString(), string(node, "session"), string(node, "type"), headers,
				payload);
	}

	private static @Nullable String string(JsonNode node, String name) {
		JsonNode value = node.get(name);
		return (value != null) ? value.asString() : null;
	}

}
