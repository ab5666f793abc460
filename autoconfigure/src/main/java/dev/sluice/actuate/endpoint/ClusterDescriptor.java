package dev.sluice.actuate.endpoint;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Description of the cluster as this node observes it, with its largest topics. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ClusterDescriptor(String state, List<Node> nodes, Topics topics, long waiting, double oldestWait,
		@Nullable Double lag, int openRequests, long sent, long received, long failed, long unknown, long heals,
		long gaps, Resume resume) {

	/** One node. */
	record Node(String name, boolean local) {

	}

	/** The sessions of this node that may be resumed. */
	record Resume(int resumable, int suspended, long bytes, Outcomes outcomes) {

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

	}

}
