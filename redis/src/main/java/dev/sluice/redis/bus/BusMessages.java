package dev.sluice.redis.bus;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import dev.sluice.redis.connection.KeyNames;

/** Messages on the channels of the bus: a letter for the kind, then the content. */
final class BusMessages {

	private static final char FRAME = 'f';

	private static final char PUBLISHED = 'p';

	private static final char PROBE = 'w';

	private BusMessages() {
	}

	static String frame(String frame) {
		return FRAME + frame;
	}

	static String probe(int partition, long number) {
		return PROBE + Integer.toString(partition) + ' ' + number;
	}

	/** Returns the part of a publication that precedes its position. */
	static String head(String name) {
		String escaped = KeyNames.escape(name);
		return PUBLISHED + Integer.toString(escaped.length()) + ' ' + escaped;
	}

	/** Passes a message to a listener; throws if it is not a message of a node. */
	static void take(String message, BusListener listener, ProbeListener probes) {
		String rest = message.substring(1);
		switch (message.charAt(0)) {
			case FRAME -> listener.received(rest);
			case PUBLISHED -> published(rest, listener);
			case PROBE -> probed(rest, probes);
			default -> throw new IllegalArgumentException("No message of a node: " + message.charAt(0));
		}
	}

	private static void probed(String message, ProbeListener probes) {
		int space = message.indexOf(' ');
		probes.received(Integer.parseInt(message.substring(0, space)), Long.parseLong(message.substring(space + 1)));
	}

	private static void published(String message, BusListener listener) {
		int start = message.indexOf(' ') + 1;
		int end = start + Integer.parseInt(message.substring(0, start - 1));
		int before = message.indexOf(' ', end) + 1;
		int payload = message.indexOf(' ', before) + 1;
		String last = message.substring(before, payload - 1);
		listener.published(KeyNames.unescape(message.substring(start, end)),
				new TopicEntry(Position.parse(message.substring(end, before - 1)), message.substring(payload)),
				last.isEmpty() ? null : Position.parse(last));
	}

	/** Callback for probes. */
	interface ProbeListener {

		void received(int partition, long number);

	}

}
