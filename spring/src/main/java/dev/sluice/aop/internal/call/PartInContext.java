package dev.sluice.aop.internal.call;

import java.util.concurrent.Callable;

import dev.sluice.execution.TaskDecorator;
import dev.sluice.internal.ExtensionPoint;
import org.jspecify.annotations.Nullable;

/**
 * Part of a call that runs later, in the context of its caller. If a decorator does not
 * call the part, or throws before it calls it, the call fails. An exception that it
 * throws afterwards is ignored.
 *
 * @param <T> the type of its result
 */
public final class PartInContext<T extends @Nullable Object> {

	private static final ExtensionPoint DECORATORS = new ExtensionPoint("TaskDecorator",
			"the call that it decorates is made if it was reached, and fails otherwise");

	private final TaskDecorator context;

	private final Callable<T> decorated;

	private boolean called;

	private @Nullable T result;

	/**
	 * Decorates a part on the caller's thread. Exceptions of the decorator are rethrown.
	 * @param part the part to run, which does not throw
	 */
	public PartInContext(TaskDecorator context, Callable<T> part) {
		this.context = context;
		this.decorated = DECORATORS.require(context, () -> context.decorate(() -> {
			this.called = true;
			this.result = part.call();
			return this.result;
		}));
	}

	/**
	 * Runs the part in the context of the caller, or throws the reason why it was not
	 * run.
	 */
	@SuppressWarnings("NullAway") // null only if T permits it
	public T run() throws Throwable {
		try {
			this.decorated.call();
		}
		catch (Throwable ex) {
			DECORATORS.failed(this.context, ex);
			if (!this.called) {
				throw ex;
			}
		}
		if (!this.called) {
			throw new IllegalStateException(
					"TaskDecorator " + this.context.getClass().getName() + " did not call its task");
		}
		return this.result;
	}

}
