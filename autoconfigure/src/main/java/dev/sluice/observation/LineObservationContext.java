package dev.sluice.observation;

import java.util.List;
import java.util.concurrent.CancellationException;

import dev.sluice.throttle.ThrottledException;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * Context of an observation of a call that waits in line.
 *
 * @since 0.1.0
 */
public final class LineObservationContext extends Observation.Context {

	private final List<String> resources;

	private volatile Outcome outcome = Outcome.UNKNOWN;

	/**
	 * Creates a context.
	 * @param resources names of the limits that the call requests permits of
	 */
	public LineObservationContext(List<String> resources) {
		this.resources = List.copyOf(resources);
	}

	/**
	 * Returns the limits that the call waits for.
	 * @return names of the limits
	 */
	public List<String> getResources() {
		return this.resources;
	}

	/**
	 * Returns how the wait ended.
	 * @return the outcome, {@link Outcome#UNKNOWN} until then
	 */
	public Outcome getOutcome() {
		return this.outcome;
	}

	void setOutcome(Outcome outcome) {
		this.outcome = outcome;
	}

	/**
	 * Outcome of a wait.
	 *
	 * @since 0.1.0
	 */
	public enum Outcome {

		/** It has not ended. */
		UNKNOWN,

		/** The call was let in. */
		ADMITTED,

		/** The call's time was over. */
		REJECTED,

		/** The caller left the line, for example a session that ended. */
		LEFT,

		/** The limits were not available; an error. */
		FAILED;

		static Outcome of(@Nullable Throwable failure) {
			if (failure == null) {
				return ADMITTED;
			}
			if (failure instanceof ThrottledException) {
				return REJECTED;
			}
			return (failure instanceof CancellationException) ? LEFT : FAILED;
		}

	}

}
