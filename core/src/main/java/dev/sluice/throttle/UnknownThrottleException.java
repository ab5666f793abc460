package dev.sluice.throttle;

import java.io.Serial;
import java.util.Collection;
import java.util.NoSuchElementException;
import java.util.TreeSet;

/**
 * Thrown when a throttle is not defined. The message lists the defined throttles.
 *
 * @since 0.1.0
 */
public class UnknownThrottleException extends NoSuchElementException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final String resource;

	/**
	 * Creates an exception.
	 * @param resource the name that is not defined
	 * @param defined the defined names
	 */
	public UnknownThrottleException(String resource, Collection<String> defined) {
		super("Throttle '" + resource + "' is not defined; "
				+ (defined.isEmpty() ? "none is" : "defined: " + String.join(", ", new TreeSet<>(defined))));
		this.resource = resource;
	}

	/**
	 * Returns the name that is not defined.
	 * @return the resource
	 */
	public String resource() {
		return this.resource;
	}

}
