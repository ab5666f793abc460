package dev.sluice.actuate.endpoint;

import org.jspecify.annotations.Nullable;

/** The cluster of sessions, where the application may have one. */
interface Cluster {

	/**
	 * Describes what this node sees of it; null while nobody uses it.
	 * @param top how many of the largest topics to describe
	 */
	@Nullable ClusterDescriptor describe(int top, NameVisibility names);

	/** Describes a topic; null if it has no members on this node. */
	ClusterDescriptor.@Nullable Topic describeTopic(String name, NameVisibility names);

}
