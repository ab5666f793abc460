package dev.sluice.client;

import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Message of the application, of a topic or direct to this session.
 *
 * @param json the message as it was received, with {@code topic} and {@code at}, or with
 * {@code seq}; it must not be modified
 * @since 0.1.0
 */
public record ClientMessage(JsonNode json) {

	/**
	 * Returns the property {@code type}.
	 * @return the type, or an empty text if the message has none
	 */
	public String type() {
		return this.json.path("type").asString("");
	}

	/**
	 * Returns the topic.
	 * @return the name of the topic, or {@code null} for a direct message
	 */
	public @Nullable String topic() {
		return this.json.has("seq") ? null : this.json.path("topic").asString("");
	}

	/**
	 * Returns the number of a direct message.
	 * @return the number, which is empty for a message of a topic
	 */
	public OptionalLong number() {
		return this.json.has("seq") ? OptionalLong.of(this.json.path("seq").asLong()) : OptionalLong.empty();
	}

}
