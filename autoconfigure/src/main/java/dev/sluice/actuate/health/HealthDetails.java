package dev.sluice.actuate.health;

import org.springframework.boot.health.contributor.Health;

/** Contributes details to the health indicator, in addition to the queues. */
@FunctionalInterface
interface HealthDetails {

	/** Adds details, and sets the status to down if required. */
	void addTo(Health.Builder builder);

}
