package dev.sluice.throttle;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** The permits of several limits as one; closed in the reverse order of taking. */
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
		for (int i = this.permits.size() - 1; i >= 0; i--) {
			action.accept(this.permits.get(i));
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
