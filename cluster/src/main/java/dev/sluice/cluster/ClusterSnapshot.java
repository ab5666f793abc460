package dev.sluice.cluster;

import java.time.Duration;
import java.util.List;

import dev.sluice.bus.BusState;

/**
 * State of the cluster as this node observes it. The values are read one after another
 * while the cluster works, so that they need not be consistent with each other.
 *
 * @param bus whether this node receives messages of the others
 * @param nodes the nodes that are alive, in the order of their names
 * @param topics number of topics with members on this node
 * @param members number of members of these topics on this node, added up
 * @param waiting number of messages, requests and other tasks that wait for their turn
 * @param oldestWait how long the oldest of them has waited
 * @param openRequests number of requests and posts of this node that wait for other nodes
 * @param unknown number of sessions for which the outcome of a send is unknown, because
 * their nodes were lost, since the start
 * @param heals how often missed messages of a topic were read from the history, since the
 * start
 * @param gaps how often messages of a topic were lost, so that its members on this node
 * were notified of a gap, since the start
 * @param resume the sessions of this node that may be resumed
 * @param traffic the traffic over the bus
 * @param largest the topics with the most members on this node, the largest first
 * @since 0.1.0
 */
public record ClusterSnapshot(BusState bus, List<NodeInfo> nodes, int topics, int members, long waiting,
		Duration oldestWait, int openRequests, long unknown, long heals, long gaps, ResumeSnapshot resume,
		BusTraffic traffic, List<TopicSnapshot> largest) {

	/** Copies the lists. */
	public ClusterSnapshot {
		nodes = List.copyOf(nodes);
		largest = List.copyOf(largest);
	}

}
