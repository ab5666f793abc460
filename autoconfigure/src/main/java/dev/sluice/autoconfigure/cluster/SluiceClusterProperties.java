package dev.sluice.autoconfigure.cluster;

import java.time.Duration;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the sessions of all nodes.
 *
 * @param enabled Whether to provide a SessionCluster.
 * @param timeout Maximum time for a node to be silent that has something to answer.
 * @param maxTopicsPerSession Maximum number of topics that a session may join.
 * @param history History of a topic.
 */
@ConfigurationProperties("sluice.cluster")
public record SluiceClusterProperties(@DefaultValue("true") boolean enabled, @DefaultValue("2s") Duration timeout,
		@DefaultValue("128") int maxTopicsPerSession, @DefaultValue History history) implements CheckedProperties {

	@Override
	public void check(PropertyRules rules) {
		rules.positive("timeout", this.timeout);
		rules.positive("maxTopicsPerSession", this.maxTopicsPerSession);
		rules.notNegative("history.size", this.history.size);
		rules.positive("history.time", this.history.time);
	}

	/**
	 * History of a topic.
	 *
	 * @param size Maximum number of messages to keep of a topic. Zero keeps none.
	 * @param time Maximum time to keep a message of a topic.
	 */
	public record History(@DefaultValue("100") int size, @DefaultValue("5m") Duration time) {
	}

}
