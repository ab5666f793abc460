package dev.sluice.throttle;

import java.util.List;
import java.util.OptionalLong;

/** The permits of several limits as one; closed in the reverse order of taking. */
final class JointPermit implements Permit {

	private final List<Permit> permits;

	JointPermit(List<Permit> permits) {
		this.permits = List.copyOf(permits);
	}

	@Override
	public void close() {
		for (int i = this.permits.size() - 1; i >= 0; i--) {
			this.permits.get(i).close();
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
