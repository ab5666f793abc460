package dev.sluice.websocket.endpoint;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.annotation.AnnotatedTypes;
import dev.sluice.websocket.InvalidEndpointException;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Check of a session class for annotations and callbacks of other libraries, which have
 * no effect there. A callback of Jakarta WebSocket stops the start. Other annotations and
 * callbacks are logged.
 */
final class ForeignParts {

	private static final Log logger = LogFactory.getLog(ForeignParts.class);

	private static final String NO_EFFECT = "has no effect on a session";

	/** Annotations of methods and classes, with the remedy of each. */
	private static final Map<String, String> ANNOTATIONS = Map.ofEntries(
			Map.entry("org.springframework.messaging.handler.annotation.MessageMapping", "Use @OnMessage(\"type\")"),
			Map.entry("org.springframework.messaging.simp.annotation.SubscribeMapping",
					"Override onOpen, or use @OnMessage"),
			Map.entry("org.springframework.messaging.handler.annotation.SendTo",
					"The result is posted to the client; post to a topic with Topic.post"),
			Map.entry("org.springframework.messaging.simp.annotation.SendToUser",
					"The result is posted to the client; post to others with SessionCluster.post"),
			Map.entry("org.springframework.messaging.handler.annotation.MessageExceptionHandler",
					"Override onError, or define a MessageErrorHandler bean"),
			Map.entry("org.springframework.web.bind.annotation.CrossOrigin", "Set 'sluice.websocket.allowed-origins'"),
			Map.entry("org.springframework.web.bind.annotation.RequestMapping",
					"Name the whole path in @WebSocketEndpoint, and use @OnMessage for methods"),
			Map.entry("org.springframework.web.bind.annotation.ResponseStatus", "Return the outcome in the answer"),
			Map.entry("org.springframework.web.bind.annotation.ResponseBody", "The result is posted to the client"),
			Map.entry("org.springframework.web.bind.annotation.ExceptionHandler",
					"Override onError, or define a MessageErrorHandler bean"));

	/** Annotations of parameters, with the accessor of the session for the value. */
	private static final Map<String, String> PARAMETERS = Map.ofEntries(
			Map.entry("org.springframework.web.bind.annotation.PathVariable", "pathVariables()"),
			Map.entry("org.springframework.web.bind.annotation.MatrixVariable", "uri()"),
			Map.entry("org.springframework.messaging.handler.annotation.DestinationVariable", "pathVariables()"),
			Map.entry("org.springframework.web.bind.annotation.RequestParam", "uri()"),
			Map.entry("org.springframework.web.bind.annotation.RequestHeader", "headers()"),
			Map.entry("org.springframework.web.bind.annotation.CookieValue", "headers()"),
			Map.entry("org.springframework.messaging.handler.annotation.Header", "headers()"),
			Map.entry("org.springframework.messaging.handler.annotation.Headers", "headers()"),
			Map.entry("org.springframework.web.bind.annotation.SessionAttribute", "attributes()"),
			Map.entry("org.springframework.web.bind.annotation.RequestAttribute", "attributes()"),
			Map.entry("org.springframework.security.core.annotation.AuthenticationPrincipal", "principal()"),
			Map.entry("org.springframework.security.core.annotation.CurrentSecurityContext", "principal()"));

	/** Annotations of methods that are called on the bean of their name. */
	private static final List<String> LISTENERS = List.of("org.springframework.context.event.EventListener",
			"dev.sluice.annotation.BatchListener");

	private static final List<String> JAKARTA = List.of("OnOpen", "OnClose", "OnError");

	private static final Set<String> HOOKS = Set.of("onOpen", "onClose", "onError", "onResume", "onSuspended",
			"onExpired");

	private static final Set<String> RESUME_HOOKS = Set.of("onResume", "onSuspended", "onExpired");

	private static final Set<String> CALLBACKS = Set.of("afterConnectionEstablished", "handleMessage",
			"handleTextMessage", "handleBinaryMessage", "handlePongMessage", "handleTransportError",
			"afterConnectionClosed");

	private final Class<?> type;

	/** Controllers and endpoints of Jakarta may be session classes as well. */
	private final boolean controller;

	private final boolean jakarta;

	private final boolean resumable;

	/**
	 * Creates the check of a class.
	 * @param type the class
	 * @param resumable whether its sessions can be resumed
	 */
	ForeignParts(Class<?> type, boolean resumable) {
		this.type = ClassUtils.getUserClass(type);
		this.controller = has(this.type, "org.springframework.stereotype.Controller");
		this.resumable = resumable;
		this.jakarta = has(this.type, "jakarta.websocket.server.ServerEndpoint");
	}

	/**
	 * Checks the class and its methods.
	 * @throws InvalidEndpointException if it has a callback of Jakarta WebSocket
	 */
	void check() {
		if (!this.controller) {
			report(this.type, "");
		}
		for (Method method : ReflectionUtils.getUniqueDeclaredMethods(this.type,
				(method) -> method.getDeclaringClass() != ManagedSession.class
						&& method.getDeclaringClass() != Object.class && !method.isSynthetic())) {
			check(method);
		}
	}

	private void check(Method method) {
		boolean handles = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(OnMessage.class);
		checkName(method, handles);
		if (method.getAnnotations().length > 0) {
			checkAnnotations(method, handles);
		}
		if (handles) {
			Stream.of(method.getParameters()).forEach((parameter) -> check(method, parameter));
			String name = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
				.get(OnMessage.class)
				.getString("value");
			if (!name.equals(name.strip())) {
				warn(method, "handles messages of type '" + name + "'", "Remove the blanks of the type");
			}
		}
	}

	private void checkAnnotations(Method method, boolean handles) {
		for (String name : JAKARTA) {
			if (!this.jakarta && has(method, "jakarta.websocket." + name)) {
				throw new InvalidEndpointException(this.type,
						"Method " + method + " has @" + name + " of jakarta.websocket, which is for its own endpoints",
						"Override " + "on" + name.substring(2) + " of ManagedSession instead.");
			}
		}
		if (!this.controller) {
			report(method, " of method " + ClassUtils.getQualifiedMethodName(method));
		}
		LISTENERS.stream()
			.filter((name) -> has(method, name))
			.forEach((name) -> warn(method,
					"has @" + ClassUtils.getShortName(name) + ", and is called on a session without a connection",
					"Let another bean listen, and find sessions with WebSocketSessionManager"));
		if (has(method, "org.springframework.scheduling.annotation.Scheduled")) {
			warn(method, "is @Scheduled, so that it is called while messages of its session are handled",
					"Schedule a method of another bean, and call execute of each session of WebSocketSessionManager");
		}
		if (overrides(method) && AnnotatedTypes.LIMITS.stream()
			.anyMatch(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)::isPresent)) {
			warn(method, "is not limited, as it is a callback of the session",
					"Annotate its @OnMessage methods, or a method that it calls on another bean");
		}
		if (handles && (has(method, "org.springframework.scheduling.annotation.Async")
				|| has(this.type, "org.springframework.scheduling.annotation.Async"))) {
			warn(method, "is @Async, so that its messages are handled at the same time and in any order",
					"Remove @Async, or return a CompletionStage");
		}
	}

	private void report(AnnotatedElement element, String place) {
		MergedAnnotations all = MergedAnnotations.from(element);
		ANNOTATIONS.forEach((name, remedy) -> {
			if (all.isPresent(name)) {
				logger.warn("Endpoint " + this.type.getName() + ": @" + ClassUtils.getShortName(name) + place + ' '
						+ NO_EFFECT + ". " + remedy);
			}
		});
	}

	private void check(Method method, Parameter parameter) {
		for (Annotation annotation : parameter.getAnnotations()) {
			String source = PARAMETERS.get(annotation.annotationType().getName());
			if (source != null) {
				warn(method, "has a parameter with @" + annotation.annotationType().getSimpleName()
						+ ", which receives the message", "Remove the annotation, and call " + source);
			}
		}
	}

	private void checkName(Method method, boolean handles) {
		String name = method.getName();
		boolean handler = CALLBACKS.contains(name) && Arrays.stream(method.getParameterTypes())
			.anyMatch((parameter) -> parameter.getName().equals("org.springframework.web.socket.WebSocketSession"));
		boolean overload = HOOKS.contains(name) && !Modifier.isStatic(method.getModifiers()) && !overrides(method)
				&& !isOverridden(name);
		if (handler || overload) {
			warn(method, "is not called",
					handler ? "Override onOpen, onClose or onError, or use @OnMessage" : override(name));
		}
		else if (!this.resumable && RESUME_HOOKS.contains(name) && method.getDeclaringClass() == this.type
				&& overrides(method)) {
			warn(method, "is not called, as the endpoint is not resumable",
					"Set 'resumable = true' in its @WebSocketEndpoint");
		}
		else if (!handles && !overrides(method)) {
			HOOKS.stream()
				.filter((hook) -> isLike(hook, method) && !isOverridden(hook))
				.forEach((hook) -> warn(method, "is no callback of the session", override(hook)));
		}
	}

	/** If the hook is overridden, the method may be a part of it. */
	private static boolean isLike(String hook, Method method) {
		List<Class<?>> parameters = List.of(method.getParameterTypes());
		String name = method.getName();
		return hook.equals("onResume") && parameters.contains(ManagedSession.Resumption.class)
				|| !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
						&& Math.abs(name.length() - hook.length()) <= 2
						&& (name.startsWith(hook) || hook.startsWith(name))
						&& (parameters.isEmpty() || parameters.equals(parameters(hook)));
	}

	private boolean isOverridden(String name) {
		return Stream.of(ReflectionUtils.getUniqueDeclaredMethods(this.type))
			.anyMatch((method) -> method.getName().equals(name) && method.getDeclaringClass() != ManagedSession.class
					&& overrides(method));
	}

	private static boolean overrides(Method method) {
		return ReflectionUtils.findMethod(ManagedSession.class, method.getName(), method.getParameterTypes()) != null;
	}

	private static String override(String hook) {
		return "Override " + hook
				+ parameters(hook).stream().map(Class::getSimpleName).collect(Collectors.joining(", ", "(", ")"))
				+ " of ManagedSession";
	}

	private static List<Class<?>> parameters(String hook) {
		return Stream.of(ManagedSession.class.getDeclaredMethods())
			.filter((method) -> method.getName().equals(hook))
			.findFirst()
			.map((method) -> List.of(method.getParameterTypes()))
			.orElse(List.of());
	}

	private static boolean has(AnnotatedElement element, String annotation) {
		return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(annotation);
	}

	private static void warn(Method method, String problem, String remedy) {
		logger.warn("Method " + ClassUtils.getQualifiedMethodName(method) + ' ' + problem + ". " + remedy);
	}

}
