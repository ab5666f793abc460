package dev.sluice.autoconfigure.throttle;

import java.util.Locale;

import dev.sluice.autoconfigure.ThrottlingManagerCustomizer;

/**
 * Source of the definition of a limit.
 *
 * @since 0.1.0
 */
public enum ThrottleSource {

	/** In {@code sluice.throttles.*}. */
	PROPERTY,

	/** In an annotation. */
	ANNOTATION,

	/** By a {@link ThrottlingManagerCustomizer}. */
	CUSTOMIZER,

	/** The application while it runs, or the endpoint. */
	RUNTIME;

	/**
	 * Returns the name that the endpoint shows.
	 * @return the name in lower case
	 */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
