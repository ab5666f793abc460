package dev.sluice.websocket.cluster;

import java.time.Duration;
import java.util.List;

import dev.sluice.cluster.BusState;

/**
 * State of the cluster as this node observes it. The values are read one after another
 * while the cluster works, so that they need not be consistent with each other.
 *
 * @param bus whether this node receives messages of the others
 * @param nodes the nodes that are known to live, in the order of their names
 * @param topics how many topics have members on this node
 * @param members how many members these topics have on this node, added up
 * @param waiting how many messages, requests and other tasks waited for their turn
 * @param oldestWait how long the oldest of them had waited
 * @param openRequests how many requests and posts of this node waited for other nodes
 * @param unknown number of sessions for which the outcome of a send is unknown, because
 * their nodes were lost, since the start
 * @param heals how often messages of a topic that this node had missed were read from the
 * history, since the start
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
