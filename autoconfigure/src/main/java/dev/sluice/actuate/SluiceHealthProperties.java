package dev.sluice.actuate;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** Properties of the health indicator. */
@ConfigurationProperties("management.health.sluice")
class SluiceHealthProperties {

	/**
	 * Longest time that a task may have waited in a queue while the application is up.
	 */
	private Duration maxWait = Duration.ofSeconds(30);

	public Duration getMaxWait() {
		return this.maxWait;
	}

	public void setMaxWait(Duration maxWait) {
		this.maxWait = maxWait;
	}

}
