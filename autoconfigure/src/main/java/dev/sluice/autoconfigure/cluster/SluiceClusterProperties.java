package dev.sluice.autoconfigure.cluster;

import java.time.Duration;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** Properties of the sessions of all nodes. */
@ConfigurationProperties("sluice.cluster")
public class SluiceClusterProperties implements CheckedProperties {

	/**
	 * Whether to provide a SessionCluster.
	 */
	private boolean enabled = true;

	/**
	 * Maximum time for a node to be silent that has something to answer.
	 */
	private Duration timeout = Duration.ofSeconds(2);

	/**
	 * Maximum number of topics that a session may join.
	 */
	private int maxTopicsPerSession = 128;

	private final History history = new History();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public Duration getTimeout() {
		return this.timeout;
	}

	public void setTimeout(Duration timeout) {
		this.timeout = timeout;
	}

	public int getMaxTopicsPerSession() {
		return this.maxTopicsPerSession;
	}

	public void setMaxTopicsPerSession(int maxTopicsPerSession) {
		this.maxTopicsPerSession = maxTopicsPerSession;
	}

	public History getHistory() {
		return this.history;
	}

	@Override
	public void check(PropertyRules rules) {
		rules.positive("timeout", this.timeout);
		rules.positive("maxTopicsPerSession", this.maxTopicsPerSession);
		rules.notNegative("history.size", this.history.size);
		rules.positive("history.time", this.history.time);
	}

	/** History of a topic. */
	public static class History {

		/**
		 * Maximum number of messages to keep of a topic. Zero keeps none.
		 */
		private int size = 100;

		/**
		 * Maximum time to keep a message of a topic.
		 */
		private Duration time = Duration.ofMinutes(5);

		public int getSize() {
			return this.size;
		}

		public void setSize(int size) {
			this.size = size;
		}

		public Duration getTime() {
			return this.time;
		}

		public void setTime(Duration time) {
			this.time = time;
		}

	}

}
