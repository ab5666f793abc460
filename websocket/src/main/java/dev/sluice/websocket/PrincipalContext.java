package dev.sluice.websocket;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

/**
 * Context that runs the handlers of sessions in the name of their clients, for example in
 * a security context.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PrincipalContext {

	/** Runs handlers without a context, at no cost. */
	PrincipalContext NONE = (principal) -> Scope.NONE;

	/**
	 * Begins to run a handler on the current thread.
	 * @param principal the principal of the client, or {@code null} for an anonymous one
	 * @return a scope that the same thread closes, which restores the previous context
	 */
	Scope open(@Nullable Principal principal);

	/** Scope in which a thread runs a handler. */
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
