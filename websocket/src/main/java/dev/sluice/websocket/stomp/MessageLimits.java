package dev.sluice.websocket.stomp;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.sluice.aop.Admission;
import dev.sluice.aop.ThrottleGate;
import dev.sluice.websocket.ManagedSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.handler.DestinationPatternsMessageCondition;
import org.springframework.messaging.handler.HandlerMethod;
import org.springframework.messaging.handler.annotation.support.DestinationVariableMethodArgumentResolver;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolverComposite;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.messaging.simp.SimpAttributesContextHolder;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageMappingInfo;
import org.springframework.messaging.simp.annotation.support.SimpAnnotationMethodMessageHandler;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.messaging.support.MessageHandlingRunnable;
import org.springframework.util.CollectionUtils;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.PathMatcher;

/**
 * Limits of the annotated method that a message is for, before the message is handled:
 * only then can its session wait without a thread. Resolves the method and its arguments
 * as Spring's handler does again when it handles the message.
 */
final class MessageLimits {

	private static final Log logger = LogFactory.getLog(MessageLimits.class);

	private final ThrottleGate gate;

	private final ConcurrentMap<SimpAnnotationMethodMessageHandler, Set<SimpMessageMappingInfo>> limited = new ConcurrentHashMap<>();

	MessageLimits(ThrottleGate gate) {
		this.gate = gate;
	}

	/**
	 * Consults the limits, if there are any.
	 * @return a future for the admission, or {@code null} if the message has no limits
	 */
	@Nullable CompletableFuture<Admission> admit(MessageHandlingRunnable handling, ManagedSession session) {
		if (!(handling.getMessageHandler() instanceof SimpAnnotationMethodMessageHandler handler)) {
			return null;
		}
		Set<SimpMessageMappingInfo> limited = this.limited.computeIfAbsent(handler, this::limited);
		if (limited.isEmpty()) {
			return null;
		}
		try {
			return admit(handler, limited, handling.getMessage(), session);
		}
		catch (Exception ex) {
			logger.debug("Limits not applied; the handler will report the problem with the message", ex);
			return null;
		}
	}

	private Set<SimpMessageMappingInfo> limited(SimpAnnotationMethodMessageHandler handler) {
		Map<SimpMessageMappingInfo, HandlerMethod> methods = new HashMap<>(handler.getHandlerMethods());
		methods.values().removeIf((method) -> !this.gate.guards(method.getMethod(), method.getBeanType()));
		return Set.copyOf(methods.keySet());
	}

	private @Nullable CompletableFuture<Admission> admit(SimpAnnotationMethodMessageHandler handler,
			Set<SimpMessageMappingInfo> limited, Message<?> original, ManagedSession session) throws Exception {
		String destination = lookupDestination(handler, original);
		if (destination == null) {
			return null;
		}
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.wrap(original);
		headers.setHeader(DestinationPatternsMessageCondition.LOOKUP_DESTINATION_HEADER, destination);
		headers.setLeaveMutable(true);
		Message<?> message = MessageBuilder.createMessage(original.getPayload(), headers.getMessageHeaders());
		if (limited.stream().noneMatch((mapping) -> mapping.getMatchingCondition(message) != null)) {
			return null;
		}
		Match match = handler.getHandlerMethods()
			.entrySet()
			.stream()
			.map((entry) -> Match.of(entry.getKey(), entry.getValue(), message))
			.flatMap(List::stream)
			.min(Comparator.comparing(Match::condition, (one, other) -> one.compareTo(other, message)))
			.orElseThrow();
		return limited.contains(match.mapping()) ? admit(handler, match, destination, headers, message, session) : null;
	}

	private CompletableFuture<Admission> admit(SimpAnnotationMethodMessageHandler handler, Match match,
			String destination, SimpMessageHeaderAccessor headers, Message<?> message, ManagedSession session)
			throws Exception {
		String pattern = CollectionUtils.firstElement(match.condition().getDestinationConditions().getPatterns());
		if (pattern != null) {
			headers.setHeader(DestinationVariableMethodArgumentResolver.DESTINATION_TEMPLATE_VARIABLES_HEADER,
					handler.getPathMatcher().extractUriTemplateVariables(pattern, destination));
		}
		HandlerMethod method = match.method().createWithResolvedBean();
		SimpAttributesContextHolder.setAttributesFromMessage(message);
		try {
			@Nullable Object[] arguments = new Arguments(method, handler).resolve(message);
			return this.gate.admit(method.getMethod(), method.getBean(), arguments, variables(headers, session));
		}
		finally {
			SimpAttributesContextHolder.resetAttributes();
		}
	}

	private Map<String, @Nullable Object> variables(SimpMessageHeaderAccessor headers, ManagedSession session) {
		Map<String, @Nullable Object> variables = new HashMap<>();
		variables.put("session", session);
		variables.put("principal", headers.getUser());
		variables.put("headers", new LinkedMultiValueMap<>(headers.toNativeHeaderMap()));
		return variables;
	}

	private static @Nullable String lookupDestination(SimpAnnotationMethodMessageHandler handler, Message<?> message) {
		String destination = SimpMessageHeaderAccessor.getDestination(message.getHeaders());
		Collection<String> prefixes = handler.getDestinationPrefixes();
		if (destination == null || prefixes.isEmpty()) {
			return destination;
		}
		PathMatcher pathMatcher = handler.getPathMatcher();
		int kept = pathMatcher.combine("a", "a").equals("a/a") ? 1 : 0;
		return prefixes.stream()
			.filter(destination::startsWith)
			.findFirst()
			.map((prefix) -> destination.substring(prefix.length() - kept))
			.orElse(null);
	}

	/** A method that matches a message. */
	private record Match(SimpMessageMappingInfo mapping, SimpMessageMappingInfo condition, HandlerMethod method) {

		static List<Match> of(SimpMessageMappingInfo mapping, HandlerMethod method, Message<?> message) {
			SimpMessageMappingInfo condition = mapping.getMatchingCondition(message);
			return (condition != null) ? List.of(new Match(mapping, condition, method)) : List.of();
		}

	}

	/** Resolves arguments as the handler does. */
	private static final class Arguments extends InvocableHandlerMethod {

		Arguments(HandlerMethod method, SimpAnnotationMethodMessageHandler handler) {
			super(method);
			HandlerMethodArgumentResolverComposite resolvers = new HandlerMethodArgumentResolverComposite();
			resolvers.addResolvers(handler.getArgumentResolvers());
			setMessageMethodArgumentResolvers(resolvers);
		}

		@Nullable Object[] resolve(Message<?> message) throws Exception {
			return getMethodArgumentValues(message);
		}

	}

}
