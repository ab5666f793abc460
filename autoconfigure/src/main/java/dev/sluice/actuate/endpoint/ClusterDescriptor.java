package dev.sluice.actuate.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.sluice.actuate.Seconds;
import dev.sluice.websocket.cluster.BusTraffic;
import dev.sluice.websocket.cluster.ClusterSnapshot;
import dev.sluice.websocket.cluster.ResumeOutcome;
import dev.sluice.websocket.cluster.ResumeSnapshot;
import dev.sluice.websocket.cluster.TopicSnapshot;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Description of the cluster as this node observes it, with its largest topics. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ClusterDescriptor(String state, List<Node> nodes, Topics topics, long waiting, double oldestWait,
		@Nullable Double lag, int openRequests, long sent, long received, long failed, long unknown, long heals,
		long gaps, Resume resume) {

	static ClusterDescriptor of(ClusterSnapshot cluster, NameVisibility names) {
		BusTraffic traffic = cluster.traffic();
		Duration lag = traffic.lag();
		return new ClusterDescriptor(cluster.bus().name().toLowerCase(Locale.ROOT),
				cluster.nodes().stream().map((node) -> new Node(node.name(), node.local())).toList(),
				new Topics(cluster.topics(), cluster.members(),
						cluster.largest().stream().map((topic) -> Topic.of(topic, names)).toList()),
				cluster.waiting(), Seconds.of(cluster.oldestWait()), (lag != null) ? Seconds.of(lag) : null,
				cluster.openRequests(), traffic.sent(), traffic.received(), traffic.failed(), cluster.unknown(),
				cluster.heals(), cluster.gaps(), Resume.of(cluster.resume()));
	}

	/** One node. */
	record Node(String name, boolean local) {

	}

	/** The sessions of this node that may be resumed. */
	record Resume(int resumable, int suspended, long bytes, Outcomes outcomes) {

		static Resume of(ResumeSnapshot resume) {
			return new Resume(resume.resumable(), resume.suspended(), resume.bytes(),
					new Outcomes(resume.count(ResumeOutcome.RECOVERED), resume.count(ResumeOutcome.INCOMPLETE),
							resume.count(ResumeOutcome.EXPIRED), resume.count(ResumeOutcome.INVALID),
							resume.count(ResumeOutcome.SUPERSEDED), resume.count(ResumeOutcome.UNAVAILABLE)));
		}

	}

	/** Numbers of resumes, by outcome. */
	record Outcomes(long recovered, long incomplete, long expired, long invalid, long superseded, long unavailable) {

	}

	/** The topics with members on this node. */
	record Topics(int count, int members, List<Topic> largest) {

	}

	/** One topic on this node. */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Topic(String name, int members, int waiting, double oldestWait,
			@Nullable String at) implements OperationResponseBody {

		static Topic of(TopicSnapshot topic, NameVisibility names) {
			return new Topic(names.of(topic.name()), topic.members(), topic.waiting(), Seconds.of(topic.oldestWait()),
					topic.at());
		}

	}

}
