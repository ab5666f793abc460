package dev.sluice.actuate.endpoint;

import dev.sluice.actuate.UsedCluster;
import dev.sluice.websocket.cluster.SessionCluster;
import org.jspecify.annotations.Nullable;

/** The {@link SessionCluster} of the application, once it is used. */
class UsedSessionCluster implements Cluster {

	private final UsedCluster cluster;

	UsedSessionCluster(UsedCluster cluster) {
		this.cluster = cluster;
	}

	@Override
	public @Nullable ClusterDescriptor describe(int top, NameVisibility names) {
		SessionCluster used = this.cluster.find();
		return (used != null) ? ClusterDescriptor.of(used.snapshot(top), names) : null;
	}

	@Override
	public ClusterDescriptor.@Nullable Topic describeTopic(String name, NameVisibility names) {
		SessionCluster used = this.cluster.find();
		return (used != null)
				? used.snapshot(name).map((topic) -> ClusterDescriptor.Topic.of(topic, names)).orElse(null) : null;
	}

}
