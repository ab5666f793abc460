package dev.sluice.autoconfigure;

import dev.sluice.throttle.ThrottlingManager;

/**
 * Defines limits in code before the application starts. A limit of the same name in
 * {@code sluice.throttles.*} takes precedence.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ThrottlingManagerCustomizer {

	/**
	 * Adds limits to the manager, or changes limits that earlier customizers added.
	 * @param manager the manager of the application
	 */
	void customize(ThrottlingManager manager);

}
