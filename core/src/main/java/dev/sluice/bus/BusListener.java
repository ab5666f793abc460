package dev.sluice.bus;

import org.jspecify.annotations.Nullable;

/**
 * Callback for the messages that a node receives. One thread at a time calls it.
 * Implementations must not block.
 *
 * @since 0.1.0
 */
public interface BusListener {

	/**
	 * Called with a message that was sent to this node, to all nodes, or to a name that
	 * this node has joined.
	 * @param frame the message
	 */
	void received(String frame);

	/**
	 * Called with a message that was published under a name that this node has joined.
	 * @param name the name
	 * @param entry the message and its position
	 * @param before the position of the message before it, or the start of the name;
	 * {@code null} if the bus had no record of either
	 */
	void published(String name, TopicEntry entry, @Nullable Position before);

	/** Called if calls of the other methods may have been lost, in any number. */
	void interrupted();

}
