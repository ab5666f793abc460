package dev.sluice.actuate.health;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import dev.sluice.bus.BusState;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.SessionCluster;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.Health;

/** Reports down while this node receives no heartbeats from the other nodes. */
class ClusterHealth implements HealthDetails {

	private final Supplier<@Nullable SessionCluster> cluster;

	ClusterHealth(Supplier<@Nullable SessionCluster> cluster) {
		this.cluster = cluster;
	}

	@Override
	public void addTo(Health.Builder builder) {
		SessionCluster used = this.cluster.get();
		if (used == null) {
			return;
		}
		ClusterSnapshot snapshot = used.snapshot(0);
		if (snapshot.bus() != BusState.UP) {
			builder.down();
		}
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", snapshot.bus().name().toLowerCase(Locale.ROOT));
		details.put("nodes", snapshot.nodes().size());
		builder.withDetail("cluster", details);
	}

}
