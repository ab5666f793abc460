package dev.sluice.cluster.internal;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.sluice.cluster.SessionInfo;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.internal.ClientNames;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.jspecify.annotations.Nullable;

/** The sessions of this node, as other nodes address them. */
final class LocalSessions {

	/*
	 * A session has one SessionTopics, which the first thread puts. That thread also adds
	 * the action for the end of the session, so the topics are left once. Attacked by
	 * TopicTests and SessionClusterTests.
	 */

	private final WebSocketDispatcher dispatcher;

	private final String node;

	private final int maxTopics;

	/** Until the session has ended. */
	private final ConcurrentMap<OrderedWebSocketSession, SessionTopics> topics = new ConcurrentHashMap<>();

	LocalSessions(WebSocketDispatcher dispatcher, String node, int maxTopics) {
		this.dispatcher = dispatcher;
		this.node = node;
		this.maxTopics = maxTopics;
	}

	int maxTopics() {
		return this.maxTopics;
	}

	String idOf(String sessionId) {
		return this.node + "." + sessionId;
	}

	/** Returns the node of a session. */
	static String nodeOf(String id) {
		int dot = id.indexOf('.');
		return (dot > 0) ? id.substring(0, dot) : "";
	}

	/** Finds an open session of this node. */
	OrderedWebSocketSession require(ManagedSession session) throws SessionClosedException {
		OrderedWebSocketSession found = this.dispatcher.context().sessions().find(session.id());
		if (found == null || found.managed() != session) {
			throw new SessionClosedException(session.id());
		}
		return found;
	}

	List<OrderedWebSocketSession> find(SessionQuery query) {
		return candidates(query.id()).stream().filter((session) -> matches(session, query)).toList();
	}

	private Collection<OrderedWebSocketSession> candidates(@Nullable String id) {
		if (id == null) {
			return this.dispatcher.context().sessions().open();
		}
		return Optional
			.ofNullable(nodeOf(id).equals(this.node)
					? this.dispatcher.context().sessions().find(id.substring(this.node.length() + 1)) : null)
			.map(List::of)
			.orElse(List.of());
	}

	private boolean matches(OrderedWebSocketSession session, SessionQuery query) {
		ManagedSession managed = session.managed();
		return managed != null && session.isOpen()
				&& (query.principal() == null || query.principal().equals(principal(session)))
				&& (query.type() == null || query.type().equals(type(managed)))
				&& (query.topic() == null || hasJoined(session, query.topic()))
				&& hasAttributes(session.getAttributes(), query.attributes());
	}

	private static boolean hasAttributes(Map<String, Object> present, Map<String, String> wanted) {
		return wanted.entrySet()
			.stream()
			.allMatch((one) -> one.getValue().equals(String.valueOf(present.get(one.getKey()))));
	}

	private boolean hasJoined(OrderedWebSocketSession session, String topic) {
		SessionTopics joined = this.topics.get(session);
		return joined != null && joined.contains(topic);
	}

	private String type(ManagedSession session) {
		return this.dispatcher.sessions().typeOf(session);
	}

	static @Nullable String principal(OrderedWebSocketSession session) {
		return ClientNames.find(session.getPrincipal());
	}

	SessionInfo describe(OrderedWebSocketSession session) {
		ManagedSession managed = session.managed();
		return new SessionInfo(idOf(session.getId()), this.node, principal(session),
				(managed != null) ? type(managed) : "");
	}

	/**
	 * Returns the topics of a session.
	 * @param left leaves them when the session has ended
	 */
	SessionTopics topicsOf(OrderedWebSocketSession session, TopicLeaver left) {
		SessionTopics present = this.topics.get(session);
		if (present != null) {
			return present;
		}
		SessionTopics made = new SessionTopics(session.getId(), this.maxTopics);
		SessionTopics other = this.topics.putIfAbsent(session, made);
		if (other != null) {
			return other;
		}
		session.ended().thenRun(() -> {
			this.topics.remove(session, made);
			made.end().forEach((name) -> left.leave(name, session));
		});
		return made;
	}

	/** Callback for the topics that a session leaves when it ends. */
	@FunctionalInterface
	interface TopicLeaver {

		void leave(String topic, OrderedWebSocketSession session);

	}

}
