package dev.sluice.websocket;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

/**
 * Context in which the handlers of sessions run in the name of their clients, for example
 * in a security context.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PrincipalContext {

	/** Runs handlers as they are, at no cost. */
	PrincipalContext NONE = (principal) -> Scope.NONE;

	/**
	 * Begins to run a handler on the current thread.
	 * @param principal the principal of the client, or {@code null} for an anonymous one
	 * @return closed by the same thread, which is then as it was before
	 */
	Scope open(@Nullable Principal principal);

	/** The time in which a thread runs a handler. */
	@FunctionalInterface
	interface Scope extends AutoCloseable {

		/** Nothing to close. */
		Scope NONE = () -> {
		};

		/** Ends the time. */
		@Override
		void close();

	}

}
