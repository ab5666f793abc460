package dev.sluice.actuate.health;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** Properties of the health indicator. */
@ConfigurationProperties("management.health.sluice")
class SluiceHealthProperties {

	/**
	 * Maximum time that queues may wait for a worker while the application is up.
	 */
	private Duration maxWait = Duration.ofSeconds(30);

	public Duration getMaxWait() {
		return this.maxWait;
	}

	public void setMaxWait(Duration maxWait) {
		this.maxWait = maxWait;
	}

}
