package dev.sluice.websocket.stomp.cluster;

import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.user.SimpUser;
import org.springframework.messaging.support.NativeMessageHeaderAccessor;
import org.springframework.util.AntPathMatcher;
import org.springframework.util.StringUtils;

/** Decides which messages are for all nodes. */
final class MessageRoutes {

	private final StompBroker broker;

	private final Predicate<String> localSession;

	private final List<String> patterns;

	private final AntPathMatcher matcher = new AntPathMatcher();

	/**
	 * Creates the routes.
	 * @param localSession tells by its id whether a session is one of this node
	 * @param patterns which destinations are those of all nodes
	 */
	MessageRoutes(StompBroker broker, Predicate<String> localSession, Collection<String> patterns) {
		this.broker = broker;
		this.localSession = localSession;
		this.patterns = List.copyOf(patterns);
	}

	/** Returns whether a destination is one of a user. */
	boolean isOfUser(String destination) {
		return destination.startsWith(this.broker.userPrefix());
	}

	/**
	 * Decides about a message of a client.
	 * @return what to send to all nodes in place of what the handler would do, or
	 * {@code null} if it is the handler's
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
	 * Decides about a message of the application. What Spring has resolved already is for
	 * a session of this node, and so is a reply to one.
	 * @return what to send to all nodes in place of what the handler would do, or
	 * {@code null} if it is the handler's
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

	/** Spring has a message for this session only then, and else for all of the user. */
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
