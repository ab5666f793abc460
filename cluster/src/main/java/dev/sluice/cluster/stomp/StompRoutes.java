package dev.sluice.cluster.stomp;

import java.security.Principal;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

import dev.sluice.internal.ClientNames;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.broker.DefaultSubscriptionRegistry;
import org.springframework.messaging.simp.user.DestinationUserNameProvider;
import org.springframework.messaging.simp.user.SimpUser;
import org.springframework.messaging.support.NativeMessageHeaderAccessor;
import org.springframework.util.AntPathMatcher;
import org.springframework.util.StringUtils;

/** Decides which messages are for all nodes. */
final class StompRoutes {

	private final StompBroker broker;

	private final Predicate<String> localSession;

	private final List<String> patterns;

	private final AntPathMatcher matcher = new AntPathMatcher();

	/**
	 * Creates the routes.
	 * @param localSession returns whether a session with the id is on this node
	 * @param patterns the destinations that all nodes share
	 */
	StompRoutes(StompBroker broker, Predicate<String> localSession, Collection<String> patterns) {
		this.broker = broker;
		this.localSession = localSession;
		this.patterns = List.copyOf(patterns);
	}

	/** Returns whether a destination belongs to a user. */
	boolean isOfUser(String destination) {
		return destination.startsWith(this.broker.userPrefix());
	}

	/**
	 * Selects a message of a client.
	 * @return the message to send to all nodes instead of calling the handler, or
	 * {@code null} if the handler is to be called
	 */
	@Nullable NodeMessage ofClient(Message<?> message, MessageHandler handler) {
		NodeMessage candidate = candidate(message, handler);
		if (candidate == null || !isOfUser(candidate.destination())) {
			return candidate;
		}
		String sender = SimpMessageHeaderAccessor.getSessionId(message.getHeaders());
		return (sender != null && isSessionOf(userOf(candidate.destination()), sender)) ? null : candidate;
	}

	/**
	 * Selects a message of the application. Messages that Spring has already resolved,
	 * and replies to a session, are for a session of this node.
	 * @return the message to send to all nodes instead of calling the handler, or
	 * {@code null} if the handler is to be called
	 */
	@Nullable NodeMessage ofApplication(Message<?> message, MessageHandler handler) {
		NodeMessage candidate = candidate(message, handler);
		if (candidate == null || !isOfUser(candidate.destination())) {
			return isResolved(message.getHeaders()) ? null : candidate;
		}
		String session = SimpMessageHeaderAccessor.getSessionId(message.getHeaders());
		if (session == null) {
			return candidate;
		}
		if (!this.localSession.test(session)) {
			return candidate.forSession(session);
		}
		return isSessionOf(userOf(candidate.destination()), session) ? null : candidate;
	}

	/**
	 * Selects a subscription of a client.
	 * @return whether it is to a destination that all nodes share
	 */
	boolean isSubscription(Message<?> message, MessageHandler handler) {
		MessageHeaders headers = message.getHeaders();
		String destination = SimpMessageHeaderAccessor.getDestination(headers);
		if (destination == null || SimpMessageHeaderAccessor.getMessageType(headers) != SimpMessageType.SUBSCRIBE) {
			return false;
		}
		if (!isOfUser(destination)) {
			return isForAll(destination, handler);
		}
		return handler == this.broker.users() && matches(destination.substring(this.broker.userPrefix().length() - 1));
	}

	/**
	 * Returns the one destination of the messages of a subscription.
	 * @return the destination, or {@code null} if there is more than one, or if it
	 * belongs to this session alone
	 */
	@Nullable String sourceOf(Message<?> subscription) {
		MessageHeaders headers = subscription.getHeaders();
		String destination = SimpMessageHeaderAccessor.getDestination(headers);
		if (destination == null || this.matcher.isPattern(destination) || hasSelector(headers)) {
			return null;
		}
		if (!isOfUser(destination)) {
			return destination;
		}
		Principal user = SimpMessageHeaderAccessor.getUser(headers);
		String name = ClientNames
			.find((user instanceof DestinationUserNameProvider named) ? named::getDestinationUserName : user);
		if (name == null) {
			return null;
		}
		return this.broker.userPrefix() + StringUtils.replace(name, "/", "%2F")
				+ destination.substring(this.broker.userPrefix().length() - 1);
	}

	private boolean hasSelector(MessageHeaders headers) {
		String selector = (this.broker.broker()
			.getSubscriptionRegistry() instanceof DefaultSubscriptionRegistry registry)
					? registry.getSelectorHeaderName() : null;
		return selector != null && NativeMessageHeaderAccessor.getFirstNativeHeader(selector, headers) != null;
	}

	/**
	 * Returns whether a message is for all sessions of a user with a known name.
	 */
	boolean isForUser(NodeMessage message) {
		return message.sessionId() == null && this.broker.registry().getUser(userOf(message.destination())) != null;
	}

	private static boolean isResolved(MessageHeaders headers) {
		return NativeMessageHeaderAccessor.getFirstNativeHeader(SimpMessageHeaderAccessor.ORIGINAL_DESTINATION,
				headers) != null;
	}

	private @Nullable NodeMessage candidate(Message<?> message, MessageHandler handler) {
		MessageHeaders headers = message.getHeaders();
		String destination = SimpMessageHeaderAccessor.getDestination(headers);
		return (destination != null && SimpMessageHeaderAccessor.getMessageType(headers) == SimpMessageType.MESSAGE
				&& message.getPayload() instanceof byte[] payload && isForAll(destination, handler))
						? NodeMessage.of(message, destination, payload) : null;
	}

	private boolean isForAll(String destination, MessageHandler handler) {
		if (isOfUser(destination)) {
			int end = destination.indexOf('/', this.broker.userPrefix().length());
			return handler == this.broker.users() && end > 0
					&& (matches(destination.substring(end)) || matches(destination));
		}
		return handler == this.broker.broker() && isOfBroker(destination) && matches(destination);
	}

	/** The broker ignores all else. */
	private boolean isOfBroker(String destination) {
		Collection<String> prefixes = this.broker.broker().getDestinationPrefixes();
		return prefixes.isEmpty() || prefixes.stream().anyMatch(destination::startsWith);
	}

	private boolean matches(String destination) {
		return this.patterns.stream().anyMatch((pattern) -> this.matcher.match(pattern, destination));
	}

	/**
	 * In this case Spring has a message for this session, otherwise for all sessions of
	 * the user.
	 */
	private boolean isSessionOf(String user, String session) {
		if (user.equals(session)) {
			return true;
		}
		SimpUser found = this.broker.registry().getUser(user);
		return found != null && found.getSession(session) != null;
	}

	private String userOf(String destination) {
		int start = this.broker.userPrefix().length();
		return StringUtils.replace(destination.substring(start, destination.indexOf('/', start)), "%2F", "/");
	}

}
