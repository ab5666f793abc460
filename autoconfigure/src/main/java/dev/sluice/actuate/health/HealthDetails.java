package dev.sluice.actuate.health;

import org.springframework.boot.health.contributor.Health;

/** Contributor to the details of the health, beside the queues. */
@FunctionalInterface
interface HealthDetails {

	/** Adds details, and takes what is up down if need be. */
	void addTo(Health.Builder builder);

}
