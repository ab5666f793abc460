package dev.sluice.websocket.endpoint;

import java.lang.reflect.Type;
import java.util.EnumSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.impl.TypeWrappedDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** Type of the messages of a method, as the application's {@link JsonMapper} reads it. */
final class PayloadType {

	/** Shapes that a JSON object can have. */
	private static final Set<LogicalType> OBJECTS = EnumSet.of(LogicalType.POJO, LogicalType.Map, LogicalType.Untyped);

	private final JavaType type;

	private @Nullable ValueDeserializer<?> deserializer;

	private @Nullable JacksonException failure;

	PayloadType(JsonMapper mapper, Type type) {
		this.type = mapper.constructType(type);
		try {
			this.deserializer = mapper._deserializationContext().findRootValueDeserializer(this.type);
		}
		catch (JacksonException ex) {
			this.failure = ex;
		}
	}

	/**
	 * Returns whether messages of any type can be read, or the type reads the property
	 * itself.
	 */
	boolean readsType(String property) {
		ValueDeserializer<?> found = this.deserializer;
		return found instanceof TypeWrappedDeserializer || (found != null && (found.logicalType() == LogicalType.Map
				|| found.logicalType() == LogicalType.Untyped || knows(found, property)));
	}

	private static boolean knows(ValueDeserializer<?> deserializer, String property) {
		return deserializer.getKnownPropertyNames() != null && deserializer.getKnownPropertyNames().contains(property);
	}

	/**
	 * Returns the reason why no message can be read.
	 * @return the reason and the remedy, or {@code null} if messages can be read
	 */
	@Nullable Obstacle obstacle() {
		ValueDeserializer<?> found = this.deserializer;
		if (found == null) {
			return new Obstacle(
					"Jackson cannot read it: " + ((this.failure != null) ? this.failure.getOriginalMessage() : ""),
					"Change its annotations or its constructors so that Jackson can read it.");
		}
		if (found instanceof AbstractDeserializer) {
			return new Obstacle("it is abstract, and nothing names its classes",
					"Declare it sealed and its branches final, annotate it with @JsonTypeInfo, or take a concrete class.");
		}
		if (found.logicalType() != null && !OBJECTS.contains(found.logicalType())) {
			return new Obstacle("a message with a type is a JSON object, which cannot be read as that",
					"Take a record or a class with it as a property, or a String for the text of the message.");
		}
		return (found instanceof BeanDeserializerBase bean && !creates(bean.getValueInstantiator()))
				? new Obstacle("it has no constructor that Jackson can use",
						"Use a record, add a constructor without parameters, or annotate one with @JsonCreator.")
				: null;
	}

	private static boolean creates(ValueInstantiator instantiator) {
		return instantiator.canCreateUsingDefault() || instantiator.canCreateFromObjectWith()
				|| instantiator.canCreateUsingDelegate();
	}

	/**
	 * Reason why messages cannot be read.
	 *
	 * @param reason the reason
	 * @param remedy what to do
	 */
	record Obstacle(String reason, String remedy) {
	}

}
