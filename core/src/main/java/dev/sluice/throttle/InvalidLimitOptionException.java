package dev.sluice.throttle;

/**
 * Thrown when an option of a {@link Limit}, or of its {@link LimitDefinition}, is
 * missing, unknown to its type or out of its range.
 *
 * @since 0.1.0
 */
public class InvalidLimitOptionException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String option;

	private final String problem;

	InvalidLimitOptionException(String option, String problem) {
		super("'" + option + "' " + problem);
		this.option = option;
		this.problem = problem;
	}

	/**
	 * Returns the name of the option, which is a component of the limit.
	 * @return the name in camel case
	 */
	public String option() {
		return this.option;
	}

	/**
	 * Returns the problem of the option.
	 * @return the rest of a sentence that starts with the option
	 */
	public String problem() {
		return this.problem;
	}

}
