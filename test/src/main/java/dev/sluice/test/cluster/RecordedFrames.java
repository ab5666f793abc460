package dev.sluice.test.cluster;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.sluice.cluster.BusListener;
import dev.sluice.cluster.Position;
import dev.sluice.cluster.TopicEntry;
import org.jspecify.annotations.Nullable;

/**
 * Listener of a bus that keeps what it is called with.
 *
 * @since 0.1.0
 */
public final class RecordedFrames implements BusListener {

	private final List<String> frames = new CopyOnWriteArrayList<>();

	private final List<Message> messages = new CopyOnWriteArrayList<>();

	/** Creates a listener. */
	public RecordedFrames() {
	}

	@Override
	public void received(String frame) {
		this.frames.add(frame);
	}

	@Override
	public void published(String name, TopicEntry entry, @Nullable Position before) {
		this.messages.add(new Message(name, entry, before));
	}

	@Override
	public void interrupted() {
	}

	/**
	 * Returns the messages to the node.
	 * @return a view, in the order of arrival
	 */
	public List<String> frames() {
		return this.frames;
	}

	/**
	 * Returns what was published.
	 * @return a view, in the order of arrival
	 */
	public List<Message> messages() {
		return this.messages;
	}

	/**
	 * Published message that was recorded.
	 *
	 * @param name under which name
	 * @param entry the message
	 * @param before the position before it
	 */
	public record Message(String name, TopicEntry entry, @Nullable Position before) {
	}

}
