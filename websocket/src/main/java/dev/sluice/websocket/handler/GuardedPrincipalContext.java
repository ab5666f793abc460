package dev.sluice.websocket.handler;

import java.security.Principal;

import dev.sluice.internal.ExtensionPoint;
import dev.sluice.websocket.PrincipalContext;
import org.jspecify.annotations.Nullable;

/**
 * Guard of a {@link PrincipalContext}. A handler whose context cannot be opened is not
 * called, as it would run without its principal; a context that cannot be closed does not
 * fail the handler.
 */
record GuardedPrincipalContext(PrincipalContext context) implements PrincipalContext {

	private static final ExtensionPoint OPEN = new ExtensionPoint("PrincipalContext", "the session is closed");

	private static final ExtensionPoint CLOSE = new ExtensionPoint("PrincipalContext.Scope",
			"the handler has been called");

	/** Guards a context, but for the one that does nothing. */
	static PrincipalContext of(PrincipalContext context) {
		return (context != PrincipalContext.NONE) ? new GuardedPrincipalContext(context) : context;
	}

	@Override
	public Scope open(@Nullable Principal principal) {
		Scope scope = OPEN.require(this.context, () -> this.context.open(principal));
		return () -> CLOSE.run(scope, scope::close);
	}

}
