package dev.sluice.websocket.endpoint;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonView;
import dev.sluice.execution.Level;
import dev.sluice.websocket.InvalidEndpointException;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.message.JsonMessages;
import org.jspecify.annotations.Nullable;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.validation.annotation.ValidationAnnotationUtils;

/** Routes of messages to the methods of a session class. */
public final class MessageRoutes {

	/** What Spring needs to call a suspend function. */
	private static final boolean COROUTINES = Stream
		.of("kotlin.reflect.full.KCallables", "kotlinx.coroutines.reactor.MonoKt")
		.allMatch((name) -> ClassUtils.isPresent(name, MessageRoutes.class.getClassLoader()));

	private final Class<?> sessionType;

	private final JsonMessages messages;

	private final Map<String, MessageRoute> named = new TreeMap<>();

	private @Nullable MessageRoute text;

	private @Nullable MessageRoute binary;

	private @Nullable MessageRoute other;

	/**
	 * Reads the methods of a class.
	 * @param messages reads the messages
	 * @throws InvalidEndpointException if they cannot be followed
	 */
	public MessageRoutes(Class<?> sessionType, JsonMessages messages) {
		this.sessionType = sessionType;
		this.messages = messages;
		MethodIntrospector
			.selectMethods(sessionType,
					(Method method) -> AnnotatedElementUtils.findMergedAnnotation(method, OnMessage.class))
			.forEach(this::add);
		ReflectionUtils.doWithMethods(sessionType, this::requireNoOther);
		if (this.text != null && (this.other != null || !this.named.isEmpty())) {
			MessageRoute json = (this.other != null) ? this.other : this.named.values().iterator().next();
			throw ambiguous("text messages", this.text, json);
		}
	}

	/** The method for plain text, which then handles all texts. */
	@Nullable MessageRoute text() {
		return this.text;
	}

	@Nullable MessageRoute binary() {
		return this.binary;
	}

	/** The method for JSON of a type; for {@code null}, JSON without a type. */
	@Nullable MessageRoute json(@Nullable String type) {
		MessageRoute route = (type != null) ? this.named.get(type) : null;
		return (route != null) ? route : this.other;
	}

	/** Returns whether any JSON is urgent. */
	boolean hasUrgent() {
		return Stream.concat(this.named.values().stream(), Stream.ofNullable(this.other))
			.anyMatch((route) -> route.level() == Level.HIGH);
	}

	/** The methods that handle anything. */
	Set<Method> methods() {
		return all().map(MessageRoute::method).collect(Collectors.toSet());
	}

	private Stream<MessageRoute> all() {
		return Stream.concat(this.named.values().stream(), Stream.of(this.text, this.binary, this.other))
			.filter(Objects::nonNull);
	}

	/** Returns whether any method handles JSON. */
	boolean hasJson() {
		return this.other != null || !this.named.isEmpty();
	}

	/** Returns whether a method handles messages of a type by its name. */
	boolean isNamed(String type) {
		return this.named.containsKey(type);
	}

	/** The types that methods handle. */
	Iterable<String> types() {
		return this.named.keySet();
	}

	private void add(Method method, OnMessage annotation) {
		if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
			throw new InvalidEndpointException(this.sessionType, "Method " + method + " must not be private or static",
					"Make the method an instance method that is not private, or remove @OnMessage.");
		}
		boolean suspending = requireCallable(method);
		int parameters = suspending ? method.getParameterCount() - 1 : method.getParameterCount();
		if (parameters > 1) {
			throw new InvalidEndpointException(this.sessionType,
					"Method " + method + " must have at most one parameter, the message",
					"Leave one parameter; the session is 'this', and principal() and attributes() describe the client.");
		}
		Class<?> result = ResultTypes.unsupported(method, this.sessionType);
		if (result != null) {
			throw new InvalidEndpointException(this.sessionType,
					"Method " + method + " has a result of type " + result.getName() + ", which cannot be sent",
					ResultTypes.remedy(result));
		}
		method.trySetAccessible();
		Type payload = (parameters == 1)
				? GenericTypeResolver.resolveType(method.getGenericParameterTypes()[0], this.sessionType) : null;
		MessageRoute route = new MessageRoute(method, payload, annotation.level(),
				(parameters == 1) ? hints(method) : null, null);
		if (!annotation.value().isEmpty()) {
			name(annotation.value(), json(route, payload));
		}
		else if (payload == null) {
			throw new InvalidEndpointException(this.sessionType,
					"Method " + method + " must have a parameter, or name the type of its messages",
					"Add the message as its parameter, or name the type, as in @OnMessage(\"ping\").");
		}
		else {
			addByPayload(route, ResolvableType.forType(payload).toClass());
		}
	}

	/** Returns whether a method is a suspend function of Kotlin. */
	private boolean requireCallable(Method method) {
		boolean suspending = KotlinDetector.isSuspendingFunction(method);
		if (suspending && !COROUTINES) {
			throw new InvalidEndpointException(this.sessionType,
					"Method " + method + " is a suspend function, which cannot be called without the classes for it",
					"Add kotlin-reflect and kotlinx-coroutines-reactor to the class path.");
		}
		return suspending;
	}

	private static @Nullable List<Object> hints(Method method) {
		return Arrays.stream(method.getParameters()[0].getAnnotations())
			.map(ValidationAnnotationUtils::determineValidationHints)
			.filter(Objects::nonNull)
			.findFirst()
			.map(List::of)
			.orElse(null);
	}

	/**
	 * Checks that no method requires validation.
	 * @throws InvalidEndpointException if one does
	 */
	void requireNoValidation() {
		all().filter((route) -> route.hints() != null).findFirst().ifPresent((route) -> {
			throw new InvalidEndpointException(this.sessionType,
					"Method " + route.method() + " has its message validated, and there is no Validator",
					"Add 'spring-boot-starter-validation', or remove the annotation of the parameter.");
		});
	}

	private void addByPayload(MessageRoute route, Class<?> type) {
		if (type == String.class) {
			this.text = sole("text messages", this.text, route);
		}
		else if (type == byte[].class || type == ByteBuffer.class) {
			this.binary = sole("binary messages", this.binary, route);
		}
		else if (payloadType(route.payload()).readsType(this.messages.typeProperty())) {
			this.other = sole("messages of any type", this.other, json(route, route.payload()));
		}
		else if (type.isSealed()) {
			concreteTypes(type).forEach((concrete) -> name(JsonMessages.nameOf(concrete), json(route, concrete)));
		}
		else {
			name(JsonMessages.nameOf(type), json(route, route.payload()));
		}
	}

	private PayloadType payloadType(@Nullable Type type) {
		return new PayloadType(this.messages.mapper(), Objects.requireNonNull(type));
	}

	private MessageRoute json(MessageRoute route, @Nullable Type type) {
		if (type == null || type == String.class) {
			return route.withJson(type, this.messages.reader(Void.class, null));
		}
		PayloadType.Obstacle obstacle = payloadType(type).obstacle();
		if (obstacle != null) {
			throw new InvalidEndpointException(this.sessionType, "Method " + route.method() + " has messages of type "
					+ type.getTypeName() + ", and " + obstacle.reason(), obstacle.remedy());
		}
		JsonView view = route.method().getParameters()[0].getAnnotation(JsonView.class);
		return route.withJson(type,
				this.messages.reader(type, (view != null && view.value().length > 0) ? view.value()[0] : null));
	}

	private void requireNoOther(Method method) {
		if (MergedAnnotations.from(method).isPresent("jakarta.websocket.OnMessage")) {
			throw new InvalidEndpointException(this.sessionType,
					"Method " + method + " has @OnMessage of jakarta.websocket, which is for its own endpoints",
					"Import dev.sluice.websocket.OnMessage instead.");
		}
	}

	private void name(String name, MessageRoute route) {
		MessageRoute present = this.named.putIfAbsent(name, route);
		if (present != null) {
			throw ambiguous("messages of type '" + name + "'", present, route);
		}
	}

	private MessageRoute sole(String messages, @Nullable MessageRoute present, MessageRoute route) {
		if (present != null) {
			throw ambiguous(messages, present, route);
		}
		return route;
	}

	private InvalidEndpointException ambiguous(String messages, MessageRoute first, MessageRoute second) {
		return new InvalidEndpointException(this.sessionType,
				"Two methods handle " + messages + ": " + first.method() + " and " + second.method(),
				"Remove one of the two, or name another type for one, as in @OnMessage(\"deposit\").");
	}

	/** The classes that a sealed type permits, over all its levels. */
	static List<Class<?>> concreteTypes(Class<?> sealed) {
		List<Class<?>> types = new ArrayList<>();
		for (Class<?> permitted : sealed.getPermittedSubclasses()) {
			if (permitted.isSealed()) {
				types.addAll(concreteTypes(permitted));
			}
			else {
				types.add(permitted);
			}
		}
		return types;
	}

}
