package dev.sluice.actuate;

import org.springframework.boot.health.contributor.Health;

/** What the store of the limits, if there is one, has to do with the health. */
@FunctionalInterface
interface StoreHealth {

	/** Adds details, and takes what is up down if need be. */
	void addTo(Health.Builder builder);

}
