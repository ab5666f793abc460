package dev.sluice.test.cluster;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import org.jspecify.annotations.Nullable;

/**
 * Bus listener that records the messages it receives.
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
	 * Returns the frames sent to the node.
	 * @return a view, in the order of arrival
	 */
	public List<String> frames() {
		return this.frames;
	}

	/**
	 * Returns the published messages.
	 * @return a view, in the order of arrival
	 */
	public List<Message> messages() {
		return this.messages;
	}

	/**
	 * Published message that was recorded.
	 *
	 * @param name the name of the topic
	 * @param entry the message
	 * @param before the position of the previous message
	 */
	public record Message(String name, TopicEntry entry, @Nullable Position before) {
	}

}
