package dev.sluice.cluster.resume;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.sluice.cluster.resume.outbox.DirectText;
import dev.sluice.cluster.resume.outbox.OutboxContents;
import dev.sluice.websocket.message.BoundedLog;
import dev.sluice.websocket.message.NodeJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Content of a session that one node keeps for another, as text.
 *
 * @param topics the positions after which the session continues, by topics
 * @param settled whether it has joined the topics of its endpoint
 * @param state the saved state as JSON, or {@code null}
 * @param direct the direct messages, or {@code null} if the node may have others
 */
record SessionContent(Map<String, String> topics, boolean settled, @Nullable String state,
		@Nullable OutboxContents direct) {

	private static final JsonMapper MAPPER = NodeJson.mapper();

	String write() {
		ObjectNode content = MAPPER.createObjectNode();
		ObjectNode positions = content.putObject("topics");
		this.topics.forEach(positions::put);
		if (this.settled) {
			content.put("settled", true);
		}
		if (this.state != null) {
			content.put("state", this.state);
		}
		if (this.direct != null) {
			content.put("last", this.direct.last())
				.put("dropped", this.direct.dropped())
				.put("lost", this.direct.lost());
			ArrayNode messages = content.putArray("direct");
			this.direct.messages()
				.forEach((kept) -> messages.addObject().put("seq", kept.number()).put("head", kept.head()));
		}
		return NodeJson.write(content);
	}

	/**
	 * Reads a content. A direct message that cannot be read is lost; the other messages
	 * are still sent to the client.
	 * @param unreadable logs what cannot be read
	 * @return the content, or {@code null} if it cannot be read
	 */
	static @Nullable SessionContent read(String text, BoundedLog unreadable) {
		try {
			JsonNode content = MAPPER.readTree(text);
			Map<String, String> topics = new LinkedHashMap<>();
			content.required("topics")
				.properties()
				.forEach((one) -> topics.put(one.getKey(), one.getValue().asString()));
			JsonNode state = content.get("state");
			return new SessionContent(topics, content.has("settled"), (state != null) ? state.asString() : null,
					direct(content, unreadable));
		}
		catch (RuntimeException ex) {
			unreadable.warn("record", ex);
			return null;
		}
	}

	private static @Nullable OutboxContents direct(JsonNode content, BoundedLog unreadable) {
		if (!content.has("direct")) {
			return null;
		}
		List<OutboxContents.Kept> messages = new ArrayList<>();
		boolean lost = content.required("lost").asBoolean();
		for (JsonNode one : content.required("direct")) {
			try {
				String head = DirectText.kept(one.required("head").asString()).head();
				messages.add(new OutboxContents.Kept(one.required("seq").asLong(), head));
			}
			catch (RuntimeException ex) {
				unreadable.warn("direct message", ex);
				lost = true;
			}
		}
		return new OutboxContents(messages, content.required("last").asLong(), content.required("dropped").asLong(),
				lost);
	}

}
