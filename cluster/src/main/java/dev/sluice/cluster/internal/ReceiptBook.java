package dev.sluice.cluster.internal;

import java.util.List;

import dev.sluice.bus.Position;
import org.jspecify.annotations.Nullable;

/** Receipts for publications of other nodes that request one. */
final class ReceiptBook {

	private static final int RADIX = 36;

	private final String node;

	private final Outcomes outcomes;

	private final Answers answers;

	ReceiptBook(String node, Outcomes outcomes, Answers answers) {
		this.node = node;
		this.outcomes = outcomes;
		this.answers = answers;
	}

	/** Returns the id of a message that a node publishes. */
	static String messageId(String node, long number) {
		return node + "." + Long.toString(number, RADIX);
	}

	/**
	 * Begins a receipt for a message that is sent now, unless one exists or its id is not
	 * from a node.
	 */
	@Nullable Receipt begin(Position at, int count) {
		String id = at.messageId();
		int dot = id.indexOf('.');
		String origin = id.substring(0, Math.max(0, dot));
		long number;
		try {
			number = Long.parseLong(id.substring(dot + 1), RADIX);
		}
		catch (NumberFormatException ex) {
			return null;
		}
		if (dot <= 0 || !this.outcomes.begin(origin, number)) {
			return null;
		}
		this.outcomes.count(origin, number, count);
		return (tally) -> {
			Answer answer = new Answer(this.node, number, Answer.State.DONE, count, tally.sent(), tally.unknown(),
					tally.failures(), List.of());
			this.outcomes.end(origin, answer);
			this.answers.send(origin, answer);
		};
	}

	/** Callback for the outcome of a message. */
	@FunctionalInterface
	interface Receipt {

		/** Called once, when all outcomes are known. */
		void end(Tally tally);

	}

}
