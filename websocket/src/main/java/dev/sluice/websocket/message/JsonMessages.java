package dev.sluice.websocket.message;

import java.beans.Introspector;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.TypeDeserializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.PropertyWriter;

import org.springframework.util.Assert;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

/**
 * Reader and writer of the messages of typed sessions. Records of a sealed interface
 * carry their decapitalised simple name in the type property. Immutable and thread-safe.
 */
public final class JsonMessages {

	private static final Log logger = LogFactory.getLog(JsonMessages.class);

	private static final String MISFIT = "Message does not have the form of its type";

	/** Maximum length of a path, whose names may come from a client. */
	private static final int MAX_PATH = 100;

	/** Maximum number of values that are listed. */
	private static final int MAX_ALLOWED = 20;

	private final JsonMapper mapper;

	private final String typeProperty;

	/** Whether the JSON of a class lacks the type that its messages have. */
	private final ClassValue<Boolean> needsType = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			return type.isRecord() && isMemberOfSealed(type) && !hasType(type);
		}

	};

	private final ClassValue<Boolean> unsendable = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			return UnsendableTypes.contain(type);
		}

	};

	/** Whether a message of a class, or a state of a session class, was reported. */
	private final ClassValue<AtomicBoolean> reported = new ClassValue<>() {

		@Override
		protected AtomicBoolean computeValue(Class<?> type) {
			return new AtomicBoolean();
		}

	};

	/**
	 * Creates the reader and writer.
	 * @param mapper reads and writes
	 * @param typeProperty the property with the type of a message
	 */
	public JsonMessages(JsonMapper mapper, String typeProperty) {
		this.mapper = mapper;
		this.typeProperty = typeProperty;
	}

	/** Returns the mapper. */
	public JsonMapper mapper() {
		return this.mapper;
	}

	/** Returns the property with the type of a message. */
	public String typeProperty() {
		return this.typeProperty;
	}

	/** Parses a text. */
	public JsonNode read(String text) throws JacksonException {
		return this.mapper.readTree(text);
	}

	/** Reads the type property. */
	public @Nullable String typeOf(JsonNode message) {
		JsonNode type = message.get(this.typeProperty);
		return (type != null && type.isString()) ? type.stringValue() : null;
	}

	/**
	 * Returns the first value of the type property of a text, which is read only up to
	 * that property.
	 */
	public @Nullable String typeOf(String text) throws JacksonException {
		try (JsonParser parser = this.mapper.createParser(text)) {
			if (parser.nextToken() != JsonToken.START_OBJECT) {
				parser.skipChildren();
				return null;
			}
			for (String name = parser.nextName(); name != null; name = parser.nextName()) {
				JsonToken value = parser.nextToken();
				if (name.equals(this.typeProperty)) {
					return (value == JsonToken.VALUE_STRING) ? parser.getString() : null;
				}
				parser.skipChildren();
			}
			return null;
		}
	}

	/**
	 * Returns the reader of messages of a type, which reads them as the application reads
	 * the body of a request, and accepts the type property.
	 * @param view the view, or {@code null} for none
	 */
	public ObjectReader reader(Type type, @Nullable Class<?> view) {
		JavaType javaType = this.mapper.constructType(type);
		ObjectReader reader = this.mapper.readerFor(javaType);
		if (!isTypedByProperty(javaType)) {
			reader = reader.withHandler(new TypePropertyHandler(this.typeProperty, javaType.getRawClass()));
		}
		return (view != null) ? reader.withView(view) : reader;
	}

	private boolean isTypedByProperty(JavaType type) {
		DeserializationContext context = this.mapper._deserializationContext();
		TypeDeserializer typed = context.findTypeDeserializer(type, context.introspectClassAnnotations(type));
		return typed != null && this.typeProperty.equals(typed.getPropertyName());
	}

	/** Describes, as a text for the client, why a message cannot be read. */
	public String describe(JacksonException ex) {
		if (ex instanceof StreamReadException && !(ex instanceof InputCoercionException)) {
			return "Message is not valid JSON";
		}
		StringBuilder path = new StringBuilder();
		for (JacksonException.Reference part : ex.getPath()) {
			if (part.getPropertyName() == null) {
				path.append('[').append(part.getIndex()).append(']');
			}
			else {
				path.append(path.isEmpty() ? "" : ".").append(part.getPropertyName());
			}
		}
		String place = path.isEmpty() ? "" : " at '" + path.substring(0, Math.min(path.length(), MAX_PATH)) + "'";
		return MISFIT + place + allowed(ex);
	}

	/** The values of an enum, as the mapper writes them. */
	private String allowed(JacksonException ex) {
		Class<?> type = (ex instanceof MismatchedInputException mismatch) ? mismatch.getTargetType() : null;
		Object[] constants = (type != null) ? type.getEnumConstants() : null;
		return (constants == null) ? ""
				: "; allowed: " + Arrays.stream(constants)
					.limit(MAX_ALLOWED)
					.map((constant) -> this.mapper.<JsonNode>valueToTree(constant).asString())
					.collect(Collectors.joining(", ", "", (constants.length > MAX_ALLOWED) ? ", ..." : ""));
	}

	/**
	 * Creates a message: texts and bytes are unchanged, all other objects are written as
	 * JSON.
	 * @throws JacksonException if it cannot be written
	 * @throws IllegalArgumentException if it is {@code null}, or stands for a later
	 * message
	 */
	public WrittenMessage write(Object payload) throws JacksonException {
		Assert.notNull(payload, "'message' must not be null");
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
		Assert.isTrue(!this.unsendable.get(payload.getClass()), () -> payload.getClass().getName()
				+ " cannot be sent; send the value that it stands for, such as that of a future in thenAccept");
		return new WrittenMessage(new TextMessage(json(payload)), typeOf(payload));
	}

	/**
	 * Logs an error of the application that only a future would report, once for each
	 * class.
	 * @param type the class of the message that cannot be sent, or of the session
	 * @param problem the problem
	 */
	public void report(Class<?> type, String problem, Throwable reason) {
		if (this.reported.get(type).compareAndSet(false, true)) {
			logger.warn(problem + "; logged once for each class, other failures only fail their future", reason);
		}
	}

	/** Reports a message that can never be sent. */
	public void reportUnsendable(Object message, Throwable reason) {
		report(message.getClass(), "Message of " + message.getClass() + " cannot be sent", reason);
	}

	/** The type of an object written as JSON, if it has one. */
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

	private String json(Object payload) {
		String json = this.mapper.writeValueAsString(payload);
		if (!json.startsWith("{") || !this.needsType.get(payload.getClass())) {
			return json;
		}
		String properties = json.substring(1);
		return "{" + this.mapper.writeValueAsString(this.typeProperty) + ":"
				+ this.mapper.writeValueAsString(nameOf(payload.getClass()))
				+ (properties.stripLeading().startsWith("}") ? "" : ",") + properties;
	}

	private boolean hasType(Class<?> type) {
		SerializationContext context = this.mapper._serializationContext();
		TypeSerializer typed = context.findTypeSerializer(this.mapper.constructType(type));
		if (typed != null && this.typeProperty.equals(typed.getPropertyName())) {
			return true;
		}
		Iterator<PropertyWriter> properties = context.findValueSerializer(type).properties();
		while (properties.hasNext()) {
			if (properties.next().getName().equals(this.typeProperty)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isMemberOfSealed(Class<?> type) {
		return Arrays.stream(type.getInterfaces()).anyMatch((parent) -> parent.isSealed() || isMemberOfSealed(parent));
	}

	/** Returns the name of the messages of a type without an explicit name. */
	public static String nameOf(Class<?> type) {
		return Introspector.decapitalize(type.getSimpleName());
	}

}
