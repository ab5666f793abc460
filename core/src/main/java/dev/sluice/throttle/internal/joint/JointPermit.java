package dev.sluice.throttle.internal.joint;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.Refundable;

/** Permits of several limits as one, closed in the reverse order of acquisition. */
final class JointPermit implements Refundable {

	private final List<Permit> permits;

	private JointPermit(List<Permit> permits) {
		this.permits = List.copyOf(permits);
	}

	static Permit of(List<Permit> permits) {
		return (permits.size() == 1) ? permits.get(0) : new JointPermit(permits);
	}

	@Override
	public void close() {
		backwards(Permit::close);
	}

	@Override
	public void refund() {
		backwards(Refundable::refund);
	}

	private void backwards(Consumer<Permit> action) {
		backwards(this.permits.size(), action);
	}

	/** Leaves none out, should one of a store throw. */
	private void backwards(int end, Consumer<Permit> action) {
		if (end > 0) {
			try {
				action.accept(this.permits.get(end - 1));
			}
			finally {
				backwards(end - 1, action);
			}
		}
	}

	/** Returns the token of the one mutex or semaphore, if there is just one. */
	@Override
	public OptionalLong fencingToken() {
		long[] tokens = this.permits.stream()
			.map(Permit::fencingToken)
			.filter(OptionalLong::isPresent)
			.mapToLong(OptionalLong::getAsLong)
			.toArray();
		return (tokens.length == 1) ? OptionalLong.of(tokens[0]) : OptionalLong.empty();
	}

	@Override
	public void onLost(Runnable action) {
		this.permits.forEach((permit) -> permit.onLost(action));
	}

	@Override
	public String toString() {
		return "Permit" + this.permits;
	}

}
