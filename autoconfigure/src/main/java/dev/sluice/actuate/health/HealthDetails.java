package dev.sluice.actuate.health;

import org.springframework.boot.health.contributor.Health;

/** What something beside the queues tells of itself with the health. */
@FunctionalInterface
interface HealthDetails {

	/** Adds details, and takes what is up down if need be. */
	void addTo(Health.Builder builder);

}
