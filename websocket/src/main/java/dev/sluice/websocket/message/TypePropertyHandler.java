package dev.sluice.websocket.message;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;

/**
 * Handler that ignores the type property of a message whose class does not have it. Other
 * unknown properties, and unknown properties of nested objects, are left to the settings
 * of the mapper.
 */
final class TypePropertyHandler extends DeserializationProblemHandler {

	private final String typeProperty;

	private final Class<?> messageType;

	TypePropertyHandler(String typeProperty, Class<?> messageType) {
		this.typeProperty = typeProperty;
		this.messageType = messageType;
	}

	@Override
	public boolean handleUnknownProperty(DeserializationContext context, JsonParser parser,
			ValueDeserializer<?> deserializer, @Nullable Object beanOrClass, String name) throws JacksonException {
		if (!name.equals(this.typeProperty) || !isOfMessage(context, parser, beanOrClass)) {
			return false;
		}
		parser.skipChildren();
		return true;
	}

	/**
	 * Properties that precede the properties of a constructor, or the type of a
	 * polymorphic value, are read from a buffer, which has no depth.
	 */
	private boolean isOfMessage(DeserializationContext context, JsonParser parser, @Nullable Object beanOrClass) {
		int depth = context.getParser().streamReadContext().getNestingDepth();
		if (parser == context.getParser()) {
			return depth == 1;
		}
		return depth == 0 || (depth == 1 && (this.messageType.isInstance(beanOrClass)
				|| beanOrClass instanceof Class<?> type && this.messageType.isAssignableFrom(type)));
	}

}
