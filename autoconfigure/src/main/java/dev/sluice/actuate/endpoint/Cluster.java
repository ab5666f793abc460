package dev.sluice.actuate.endpoint;

import org.jspecify.annotations.Nullable;

/** The cluster of sessions, if the application may have one. */
interface Cluster {

	/**
	 * Describes the cluster as this node observes it; null if the cluster is not in use.
	 * @param top how many of the largest topics to describe
	 */
	@Nullable ClusterDescriptor describe(int top, NameVisibility names);

	/** Describes a topic; null if it has no members on this node. */
	ClusterDescriptor.@Nullable Topic describeTopic(String name, NameVisibility names);

}
