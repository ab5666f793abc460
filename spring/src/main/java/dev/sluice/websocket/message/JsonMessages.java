package dev.sluice.websocket.message;

import java.beans.Introspector;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

import dev.sluice.throttle.ThrottledException;
import dev.sluice.websocket.InvalidMessageException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.beans.BeanUtils;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

/**
 * Reader and writer of the messages of typed sessions. Records of a sealed interface
 * carry their decapitalised simple name in the type property.
 *
 * @param mapper reads and writes
 * @param typeProperty the property with the type of a message
 */
public record JsonMessages(JsonMapper mapper, String typeProperty) {

	private static final String MISFIT = "Message does not have the form of its type";

	/** What is told of a path, in which a client may have chosen names. */
	private static final int MAX_PATH = 100;

	/** Parses a text. */
	public JsonNode read(String text) throws JacksonException {
		return this.mapper.readTree(text);
	}

	/** Reads the type property. */
	public @Nullable String typeOf(JsonNode message) {
		JsonNode type = message.get(this.typeProperty);
		return (type != null && type.isString()) ? type.stringValue() : null;
	}

	/** Reads the type property of a text, of which nothing else is kept. */
	public @Nullable String typeOf(String text) throws JacksonException {
		try (JsonParser parser = this.mapper.createParser(text)) {
			if (parser.nextToken() != JsonToken.START_OBJECT) {
				return null;
			}
			String type = null;
			for (String name = parser.nextName(); name != null; name = parser.nextName()) {
				JsonToken value = parser.nextToken();
				if (name.equals(this.typeProperty)) {
					type = (value == JsonToken.VALUE_STRING) ? parser.getString() : null;
				}
				parser.skipChildren();
			}
			return type;
		}
	}

	/** Turns a parsed message into what a method wants. */
	public @Nullable Object bind(JsonNode message, Type type) throws JacksonException {
		if (type == String.class) {
			return message.toString();
		}
		if (message instanceof ObjectNode object && type instanceof Class<?> target && target.isRecord()
				&& !hasProperty(target, this.typeProperty)) {
			object.remove(this.typeProperty);
		}
		return this.mapper.treeToValue(message, this.mapper.constructType(type));
	}

	/**
	 * Returns, in words that a client may see, which part has not the form of its type.
	 */
	public static String misfit(JacksonException ex) {
		StringBuilder path = new StringBuilder();
		for (JacksonException.Reference part : ex.getPath()) {
			if (part.getPropertyName() == null) {
				path.append('[').append(part.getIndex()).append(']');
			}
			else {
				path.append(path.isEmpty() ? "" : ".").append(part.getPropertyName());
			}
		}
		if (path.isEmpty()) {
			return MISFIT;
		}
		return MISFIT + " at '" + path.substring(0, Math.min(path.length(), MAX_PATH)) + "'";
	}

	/**
	 * Makes a message of anything: texts and bytes as they are, all else as JSON.
	 * @throws JacksonException if it cannot be written
	 */
	public WrittenMessage write(Object payload) throws JacksonException {
		if (payload instanceof WebSocketMessage<?> message) {
			return new WrittenMessage(message, null);
		}
		if (payload instanceof CharSequence text) {
			return new WrittenMessage(new TextMessage(text), null);
		}
		if (payload instanceof byte[] bytes) {
			return new WrittenMessage(new BinaryMessage(bytes.clone()), null);
		}
		if (payload instanceof ByteBuffer buffer) {
			byte[] bytes = new byte[buffer.remaining()];
			buffer.duplicate().get(bytes);
			return new WrittenMessage(new BinaryMessage(bytes), null);
		}
		return new WrittenMessage(new TextMessage(json(payload)), typeOf(payload));
	}

	/** The type of what is written as JSON, if it has one. */
	private @Nullable String typeOf(Object payload) {
		if (payload instanceof JsonNode node) {
			return typeOf(node);
		}
		if (payload instanceof Map<?, ?> map) {
			return (map.get(this.typeProperty) instanceof String type) ? type : null;
		}
		Class<?> type = payload.getClass();
		return (payload instanceof Iterable || type.isArray()) ? null : nameOf(type);
	}

	/** The frame that tells a client why a message of its was not handled. */
	public WrittenMessage frame(Throwable error) {
		if (error instanceof ThrottledException rejection) {
			return new WrittenMessage(throttled(rejection), "throttled");
		}
		return new WrittenMessage((error instanceof InvalidMessageException invalid)
				? error(invalid.reason(), invalid.getMessage()) : error("failed", null), "error");
	}

	private TextMessage error(String reason, @Nullable String detail) {
		ObjectNode frame = this.mapper.createObjectNode().put("type", "error").put("reason", reason);
		if (detail != null) {
			frame.put("detail", encodable(detail));
		}
		return new TextMessage(frame.toString());
	}

	/** What a client has sent may end, or be cut, in the middle of a surrogate pair. */
	private static String encodable(String text) {
		return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
	}

	/** The frame that tells a client that a limit rejected a message of its. */
	public TextMessage throttled(ThrottledException rejection) {
		ObjectNode frame = this.mapper.createObjectNode()
			.put("type", "throttled")
			.put("resource", rejection.resource());
		Duration retryAfter = rejection.retryAfter();
		if (retryAfter != null) {
			frame.put("retryAfter", seconds(retryAfter));
		}
		return new TextMessage(frame.toString());
	}

	/**
	 * Seconds, rounded up to the millisecond, so that who comes then is not too early;
	 * written as the endpoint writes them.
	 */
	private static double seconds(Duration duration) {
		return -Math.floorDiv(-duration.toNanos(), 1_000_000) / 1000.0;
	}

	private String json(Object payload) {
		if (payload.getClass().isRecord() && isMemberOfSealed(payload.getClass())) {
			ObjectNode typed = this.mapper.createObjectNode();
			typed.put(this.typeProperty, nameOf(payload.getClass()));
			typed.setAll((ObjectNode) this.mapper.valueToTree(payload));
			return this.mapper.writeValueAsString(typed);
		}
		return this.mapper.writeValueAsString(payload);
	}

	private static boolean isMemberOfSealed(Class<?> type) {
		return Arrays.stream(type.getInterfaces()).anyMatch((parent) -> parent.isSealed() || isMemberOfSealed(parent));
	}

	public static boolean hasProperty(Class<?> type, String name) {
		if (type.isRecord()) {
			return Arrays.stream(type.getRecordComponents()).anyMatch((component) -> component.getName().equals(name));
		}
		return BeanUtils.getPropertyDescriptor(type, name) != null;
	}

	/** Returns the name of the messages of a type, where nobody has named them. */
	public static String nameOf(Class<?> type) {
		return Introspector.decapitalize(type.getSimpleName());
	}

}
