package dev.sluice.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Resources that one unit of work holds (a call, a message, a handshake), each with the
 * step that releases it. The thread that ends the work closes them once: the steps run in
 * reverse order, and the failure of a step does not prevent the others. A resource that
 * is added later is released immediately. Thread-safe.
 */
public final class HeldResources {

	/*
	 * A stack whose head is replaced by CLOSED once. The thread that replaces it owns all
	 * earlier entries, and a push that finds CLOSED still owns its entry, so that each
	 * step runs exactly once. Attacked by HeldResourcesTests.
	 */

	private static final ExtensionPoint RELEASES = new ExtensionPoint("Release of",
			"the other resources of its call are released");

	private static final Held CLOSED = new Held("", "");

	private static final Throwable TOO_LATE = new CancellationException("The call had ended") {

		@Override
		public Throwable fillInStackTrace() {
			return this;
		}

	};

	private static final VarHandle HEAD = FieldHandles.find(MethodHandles.lookup(), "head", Held.class);

	private volatile @Nullable Held head;

	/**
	 * Adds a resource, or releases it immediately if the resources are closed.
	 * @param name the constant name of the resource, for the log
	 * @param release the step that releases the resource; runs once, must not block
	 * @return {@code true} if the resource is held, {@code false} if it was released
	 */
	public boolean add(String name, Runnable release) {
		return add(new Held(name, release));
	}

	/**
	 * Adds a resource whose step depends on the outcome of the work.
	 * @param name the constant name of the resource, for the log
	 * @param release the step that releases the resource; its argument is the failure of
	 * the work, if any
	 * @return {@code true} if the resource is held, {@code false} if it was released as
	 * after a failure
	 */
	public boolean addOutcome(String name, Consumer<@Nullable Throwable> release) {
		return add(new Held(name, release));
	}

	private boolean add(Held added) {
		while (true) {
			Held head = this.head;
			if (head == CLOSED) {
				throwFatal(added.release(TOO_LATE, null));
				return false;
			}
			added.next = head;
			if (HEAD.compareAndSet(this, head, added)) {
				return true;
			}
		}
	}

	/** Returns whether the resources have been released, or their release has begun. */
	public boolean isClosed() {
		return this.head == CLOSED;
	}

	/**
	 * Releases all resources in reverse order. A second call has no effect.
	 * @param failure the failure of the work, if any
	 * @return the first failure, of the work or of a step, with the others suppressed;
	 * {@code null} without any failure
	 * @throws VirtualMachineError if a step threw it, after all steps have run
	 */
	public @Nullable Throwable close(@Nullable Throwable failure) {
		Held held = (Held) HEAD.getAndSet(this, CLOSED);
		return (held != CLOSED) ? close(held, failure, null) : failure;
	}

	/**
	 * Releases all resources in reverse order, and then completes the work. A second call
	 * has no effect.
	 * @param failure the failure of the work, if any
	 * @param completion the callback that always runs last, with the result of
	 * {@link #close(Throwable)}
	 * @throws VirtualMachineError if a step threw it, after all steps and the callback
	 * have run
	 */
	public void close(@Nullable Throwable failure, Consumer<@Nullable Throwable> completion) {
		Held held = (Held) HEAD.getAndSet(this, CLOSED);
		if (held != CLOSED) {
			close(held, failure, completion);
		}
	}

	private static @Nullable Throwable close(@Nullable Held last, @Nullable Throwable failure,
			@Nullable Consumer<@Nullable Throwable> completion) {
		Throwable fatal = null;
		Throwable first = failure;
		for (Held held = last; held != null; held = held.next) {
			Throwable thrown = held.release(failure, first);
			first = (first != null) ? first : thrown;
			fatal = (thrown instanceof VirtualMachineError && fatal == null) ? thrown : fatal;
		}
		try {
			if (completion != null) {
				completion.accept(first);
			}
		}
		finally {
			throwFatal(fatal);
		}
		return first;
	}

	private static void throwFatal(@Nullable Throwable failure) {
		if (failure instanceof VirtualMachineError fatal) {
			throw fatal;
		}
	}

	/** One resource. */
	private static final class Held {

		private final String name;

		/** A {@code Runnable}, or a {@code Consumer} of the outcome. */
		private final Object release;

		private @Nullable Held next;

		Held(String name, Object release) {
			this.name = name;
			this.release = release;
		}

		/**
		 * Returns the exception of the step, which is added to an earlier failure as
		 * suppressed.
		 */
		@SuppressWarnings("unchecked")
		@Nullable Throwable release(@Nullable Throwable outcome, @Nullable Throwable earlier) {
			try {
				if (this.release instanceof Runnable step) {
					step.run();
				}
				else {
					((Consumer<@Nullable Throwable>) this.release).accept(outcome);
				}
				return null;
			}
			catch (Throwable ex) {
				RELEASES.report(this.name, ex);
				if (earlier != null && earlier != ex) {
					earlier.addSuppressed(ex);
				}
				return ex;
			}
		}

	}

}
