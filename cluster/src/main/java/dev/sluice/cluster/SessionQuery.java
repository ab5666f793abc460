package dev.sluice.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.websocket.ManagedSession;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Query for sessions that other nodes can read. A session matches if it has all the
 * values given.
 *
 * @param id the id in the cluster, or {@code null} for any
 * @param principal the name of the client's principal, or {@code null} for any
 * @param type the simple name of the session's class, {@code "handler"} for sessions of
 * the application's own handlers, or {@code null} for any
 * @param topic a topic that the session has joined, or {@code null} for any
 * @param attributes attributes of the session, compared as text
 * @since 0.1.0
 */
public record SessionQuery(@Nullable String id, @Nullable String principal, @Nullable String type,
		@Nullable String topic, Map<String, String> attributes) {

	private static final SessionQuery ALL = new SessionQuery(null, null, null, null, Map.of());

	/** Copies the map. */
	public SessionQuery {
		attributes = Map.copyOf(attributes);
	}

	/**
	 * Returns the query for all sessions.
	 * @return the query
	 */
	public static SessionQuery all() {
		return ALL;
	}

	/**
	 * Returns the query for one session.
	 * @param id its id in the cluster, as {@link SessionInfo#id()} and
	 * {@link SessionCluster#idOf} return it
	 * @return the query
	 */
	public static SessionQuery ofId(String id) {
		Assert.notNull(id, "'id' must not be null");
		return new SessionQuery(id, null, null, null, Map.of());
	}

	/**
	 * Returns the query for the sessions of a principal.
	 * @param name the principal's name
	 * @return the query
	 */
	public static SessionQuery ofPrincipal(String name) {
		return ALL.andPrincipal(name);
	}

	/**
	 * Returns the query for the sessions of a class.
	 * @param type the class itself, without its subclasses
	 * @return the query
	 */
	public static SessionQuery ofType(Class<? extends ManagedSession> type) {
		Assert.notNull(type, "'type' must not be null");
		return ALL.andType(type.getSimpleName());
	}

	/**
	 * Returns the query for the members of a topic.
	 * @param name the topic's name
	 * @return the query
	 */
	public static SessionQuery inTopic(String name) {
		return ALL.andTopic(name);
	}

	/**
	 * Returns this query, for one principal only.
	 * @param name the principal's name
	 * @return a narrower query
	 */
	public SessionQuery andPrincipal(String name) {
		Assert.notNull(name, "'name' must not be null");
		return new SessionQuery(this.id, name, this.type, this.topic, this.attributes);
	}

	/**
	 * Returns this query, for one type only.
	 * @param name the simple name of a class, or {@code "handler"}
	 * @return a narrower query
	 */
	public SessionQuery andType(String name) {
		Assert.notNull(name, "'name' must not be null");
		return new SessionQuery(this.id, this.principal, name, this.topic, this.attributes);
	}

	/**
	 * Returns this query, for members of one topic only.
	 * @param name the topic's name
	 * @return a narrower query
	 */
	public SessionQuery andTopic(String name) {
		Assert.notNull(name, "'name' must not be null");
		return new SessionQuery(this.id, this.principal, this.type, name, this.attributes);
	}

	/**
	 * Returns this query, for sessions with an attribute only.
	 * @param name the attribute's name
	 * @param value its value as text
	 * @return a narrower query
	 */
	public SessionQuery andAttribute(String name, String value) {
		Assert.notNull(name, "'name' must not be null");
		Assert.notNull(value, "'value' must not be null");
		Map<String, String> more = new LinkedHashMap<>(this.attributes);
		more.put(name, value);
		return new SessionQuery(this.id, this.principal, this.type, this.topic, more);
	}

}
