package dev.sluice.actuate.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.sluice.jdbc.JdbcStoreSnapshot;

import org.springframework.boot.health.contributor.Health;

/** Down while PostgreSQL is unavailable and calls are rejected because of that. */
record JdbcStoreHealth(Supplier<JdbcStoreSnapshot> store) implements HealthDetails {

	@Override
	public void addTo(Health.Builder builder) {
		JdbcStoreSnapshot snapshot = this.store.get();
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
