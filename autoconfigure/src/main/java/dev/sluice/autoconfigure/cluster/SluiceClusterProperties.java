package dev.sluice.autoconfigure.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the sessions of all nodes.
 *
 * @param enabled Whether to provide a SessionCluster.
 * @param type Type of the bus between nodes.
 * @param lease Time after which a node counts as lost if no heartbeat of it is received.
 * @param beat Time between two heartbeats of a node. Less than the lease.
 * @param timeout Maximum time to wait for a sign of life from a node that has a request
 * to answer.
 * @param failurePolicy Action to take when a message is published to a topic while the
 * bus is unavailable.
 * @param maxTopicsPerSession Maximum number of topics that a session may join.
 * @param history History of a topic.
 * @param topics Options of topics by patterns of their names, such as "[room-*]". If
 * several patterns match a name, the longest one applies.
 * @param presence Presence in topics.
 * @param stomp Destinations of STOMP.
 * @param resume Sessions that resume.
 */
@ConfigurationProperties("sluice.cluster")
public record SluiceClusterProperties(@DefaultValue("true") boolean enabled, @DefaultValue("memory") Type type,
		@DefaultValue("10s") Duration lease, @DefaultValue("3s") Duration beat, @DefaultValue("2s") Duration timeout,
		@DefaultValue("closed") FailurePolicy failurePolicy, @DefaultValue("128") int maxTopicsPerSession,
		@DefaultValue History history, @DefaultValue Map<String, TopicOptions> topics, @DefaultValue Presence presence,
		@DefaultValue Stomp stomp, @DefaultValue Resume resume) implements CheckedProperties {

	/** Returns whether replicas must confirm messages of any topic. */
	public boolean waitsForReplicas() {
		return this.topics.values().stream().anyMatch((options) -> options.waitReplicas > 0);
	}

	@Override
	public void check(PropertyRules rules) {
		rules.positive("lease", this.lease);
		rules.positive("beat", this.beat);
		rules.check("beat", this.beat.compareTo(this.lease) < 0, "must be less than 'sluice.cluster.lease'");
		rules.positive("timeout", this.timeout);
		rules.positive("maxTopicsPerSession", this.maxTopicsPerSession);
		rules.notNegative("history.size", this.history.size);
		rules.positive("history.time", this.history.time);
		this.topics.forEach((pattern, options) -> {
			rules.notNegative("topics[" + pattern + "].history.size", options.history.size);
			rules.positive("topics[" + pattern + "].history.time", options.history.time);
			rules.notNegative("topics[" + pattern + "].waitReplicas", options.waitReplicas);
			rules.check("topics[" + pattern + "].waitReplicas", options.waitReplicas == 0 || this.type == Type.REDIS,
					"must be 0 where 'sluice.cluster.type' is not 'redis'");
		});
		rules.notNegative("presence.leaveDelay", this.presence.leaveDelay);
		rules.positive("presence.maxMembers", this.presence.maxMembers);
		rules.positive("resume.window", this.resume.window);
		rules.positive("resume.buffer", this.resume.buffer);
		rules.positive("resume.maxSuspended", this.resume.maxSuspended);
		rules.check("resume.outbox", this.resume.outbox == Outbox.MEMORY || this.type == Type.REDIS,
				"must be 'memory' where 'sluice.cluster.type' is not 'redis'");
		rules.positiveTotal("resume.totalBuffer", this.resume.totalBuffer);
		rules.check("stomp.destinations", this.stomp.destinations.stream().allMatch(StringUtils::hasText),
				"must not contain an empty pattern");
	}

	/** Type of the bus between the nodes. */
	public enum Type {

		/** No bus: sessions of this node only. */
		MEMORY,

		/** Redis. */
		REDIS

	}

	/** Action to take when a message is published while the bus is unavailable. */
	public enum FailurePolicy {

		/** Reject it. */
		CLOSED,

		/** Send the message to the members of this node only, without a position. */
		LOCAL

	}

	/**
	 * History of a topic.
	 *
	 * @param size Maximum number of messages to keep of a topic. Zero keeps none.
	 * @param time Maximum time to keep a message of a topic.
	 */
	public record History(@DefaultValue("100") int size, @DefaultValue("5m") Duration time) {
	}

	/**
	 * Options of the topics that a pattern matches.
	 *
	 * @param history History of such a topic.
	 * @param presence Whether to notify members of such a topic of principals that join
	 * or leave. If not set, a shorter pattern that matches or the option of all topics
	 * applies.
	 * @param waitReplicas Number of replicas that must confirm a message within the
	 * timeout. Not supported in a cluster.
	 */
	public record TopicOptions(@DefaultValue TopicHistory history, @Nullable Boolean presence,
			@DefaultValue("0") int waitReplicas) {
	}

	/**
	 * History of a topic that a pattern matches.
	 *
	 * @param size Maximum number of messages to keep. If not set, the maximum of all
	 * topics applies.
	 * @param time Maximum time to keep a message. If not set, the maximum of all topics
	 * applies.
	 */
	public record TopicHistory(@Nullable Integer size, @Nullable Duration time) {
	}

	/**
	 * Presence in topics.
	 *
	 * @param topics Patterns of the names of topics whose members are notified of
	 * principals that join or leave, such as "room-*".
	 * @param leaveDelay Time after which a principal counts as having left if its last
	 * session ended without leaving.
	 * @param maxMembers Maximum number of principals to name in an answer.
	 */
	public record Presence(@DefaultValue List<String> topics, @DefaultValue("15s") Duration leaveDelay,
			@DefaultValue("1000") int maxMembers) {
	}

	/**
	 * Destinations of STOMP.
	 *
	 * @param destinations Patterns of the destinations of the simple broker that all
	 * nodes share, with or without a user prefix. None by default.
	 */
	public record Stomp(@DefaultValue List<String> destinations) {
	}

	/**
	 * Sessions that resume.
	 *
	 * @param window Maximum time for a session to be without a connection.
	 * @param buffer Maximum size of direct messages to keep for a session whose client
	 * has not acknowledged them.
	 * @param maxSuspended Maximum number of sessions without a connection. Beyond that,
	 * the principal with the most such sessions loses its oldest.
	 * @param totalBuffer Maximum size of all data kept for sessions that resume. If not
	 * set, an eighth of the heap or 256MB.
	 * @param outbox Where to keep direct messages until they are acknowledged.
	 */
	public record Resume(@DefaultValue("2m") Duration window, @DefaultValue("100KB") DataSize buffer,
			@DefaultValue("10000") int maxSuspended, @Nullable DataSize totalBuffer,
			@DefaultValue("memory") Outbox outbox) {
	}

	/** Place that keeps direct messages. */
	public enum Outbox {

		/** In the memory of the node; messages are lost if the node is killed. */
		MEMORY,

		/** In Redis, before they are sent. */
		REDIS

	}

}
