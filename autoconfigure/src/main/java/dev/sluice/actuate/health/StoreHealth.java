package dev.sluice.actuate.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.sluice.throttle.store.StoreSnapshot;

import org.springframework.boot.health.contributor.Health;

/**
 * Reports down while the server of a store is unavailable and calls are rejected for that
 * reason.
 */
record StoreHealth(Supplier<StoreSnapshot> store) implements HealthDetails {

	@Override
	public void addTo(Health.Builder builder) {
		StoreSnapshot snapshot = this.store.get();
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("unavailable", snapshot.unavailable());
		details.put("nodes", snapshot.nodes());
		if (snapshot.unavailable() && !snapshot.closed().isEmpty()) {
			builder.down();
			details.put("rejecting", snapshot.closed());
		}
		builder.withDetail("store", details);
	}

}
