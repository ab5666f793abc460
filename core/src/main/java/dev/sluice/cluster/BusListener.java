package dev.sluice.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Callback for what reaches a node. It is called by one thread at a time, and must not
 * block.
 *
 * @since 0.1.0
 */
public interface BusListener {

	/**
	 * Called with a message to this node: sent to it, to all nodes or to a name that it
	 * is interested in.
	 * @param frame the message
	 */
	void received(String frame);

	/**
	 * Called with what was published under a name that this node is interested in.
	 * @param name the name
	 * @param entry the message and its position
	 * @param before the position of the message before it, or the start of the name;
	 * {@code null} if the bus knew neither
	 */
	void published(String name, TopicEntry entry, @Nullable Position before);

	/** Called when any number of calls of the other methods may have been lost. */
	void interrupted();

}
