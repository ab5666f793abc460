package dev.sluice.actuate.endpoint;

import java.time.Duration;
import java.util.Locale;

import dev.sluice.actuate.Seconds;
import dev.sluice.actuate.UsedCluster;
import dev.sluice.cluster.BusTraffic;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ResumeOutcome;
import dev.sluice.cluster.ResumeSnapshot;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.TopicSnapshot;
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
		return (used != null) ? describe(used.snapshot(top), names) : null;
	}

	@Override
	public ClusterDescriptor.@Nullable Topic describeTopic(String name, NameVisibility names) {
		SessionCluster used = this.cluster.find();
		return (used != null) ? used.snapshot(name).map((topic) -> describe(topic, names)).orElse(null) : null;
	}

	private static ClusterDescriptor describe(ClusterSnapshot cluster, NameVisibility names) {
		BusTraffic traffic = cluster.traffic();
		Duration lag = traffic.lag();
		return new ClusterDescriptor(cluster.bus().name().toLowerCase(Locale.ROOT),
				cluster.nodes().stream().map((node) -> new ClusterDescriptor.Node(node.name(), node.local())).toList(),
				new ClusterDescriptor.Topics(cluster.topics(), cluster.members(),
						cluster.largest().stream().map((topic) -> describe(topic, names)).toList()),
				cluster.waiting(), Seconds.of(cluster.oldestWait()), (lag != null) ? Seconds.of(lag) : null,
				cluster.openRequests(), traffic.sent(), traffic.received(), traffic.failed(), cluster.unknown(),
				cluster.heals(), cluster.gaps(), describe(cluster.resume()));
	}

	private static ClusterDescriptor.Resume describe(ResumeSnapshot resume) {
		return new ClusterDescriptor.Resume(resume.resumable(), resume.suspended(), resume.bytes(),
				new ClusterDescriptor.Outcomes(resume.count(ResumeOutcome.RECOVERED),
						resume.count(ResumeOutcome.INCOMPLETE), resume.count(ResumeOutcome.EXPIRED),
						resume.count(ResumeOutcome.INVALID), resume.count(ResumeOutcome.SUPERSEDED),
						resume.count(ResumeOutcome.UNAVAILABLE)));
	}

	private static ClusterDescriptor.Topic describe(TopicSnapshot topic, NameVisibility names) {
		return new ClusterDescriptor.Topic(names.of(topic.name()), topic.members(), topic.waiting(),
				Seconds.of(topic.oldestWait()), topic.at());
	}

}
