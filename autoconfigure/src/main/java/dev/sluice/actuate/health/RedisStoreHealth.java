package dev.sluice.actuate.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.sluice.redis.RedisStoreSnapshot;

import org.springframework.boot.health.contributor.Health;

/** Down while Redis is unavailable and calls are rejected because of that. */
class RedisStoreHealth implements HealthDetails {

	private final Supplier<RedisStoreSnapshot> store;

	RedisStoreHealth(Supplier<RedisStoreSnapshot> store) {
		this.store = store;
	}

	@Override
	public void addTo(Health.Builder builder) {
		RedisStoreSnapshot snapshot = this.store.get();
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
