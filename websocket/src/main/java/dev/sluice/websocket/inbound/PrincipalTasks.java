package dev.sluice.websocket.inbound;

import java.security.Principal;
import java.util.concurrent.Callable;

import dev.sluice.internal.ExtensionPoint;
import dev.sluice.websocket.PrincipalContext;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of sessions that run in the name of their clients.
 *
 * @param context the context of a task
 */
public record PrincipalTasks(PrincipalContext context) {

	private static final ExtensionPoint ENDS = new ExtensionPoint("PrincipalContext",
			"the end of the session is handled without it");

	/** Calls a task in the name of a principal. */
	public <T extends @Nullable Object> T call(@Nullable Principal principal, Callable<T> task) throws Exception {
		PrincipalContext.Scope scope = this.context.open(principal);
		try {
			return task.call();
		}
		finally {
			scope.close();
		}
	}

	/** Runs a task in the name of a principal. */
	public void run(@Nullable Principal principal, Runnable task) {
		run(this.context.open(principal), task);
	}

	/**
	 * Runs the last task of a session, which releases resources. The task therefore runs
	 * even if the context cannot be opened.
	 */
	public void runLast(@Nullable Principal principal, Runnable task) {
		PrincipalContext.Scope scope = PrincipalContext.Scope.NONE;
		try {
			scope = ENDS.get(this.context, () -> this.context.open(principal), PrincipalContext.Scope.NONE);
		}
		finally {
			run(scope, task);
		}
	}

	private static void run(PrincipalContext.Scope scope, Runnable task) {
		try {
			task.run();
		}
		finally {
			scope.close();
		}
	}

}
