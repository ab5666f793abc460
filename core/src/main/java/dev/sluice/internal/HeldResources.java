package dev.sluice.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Resources that one unit of work holds (a call, a message, a handshake), each with the
 * step that releases it. They are closed once, by whichever thread ends the work: the
 * steps run in reverse order, and a step that fails does not keep the others from
 * running. A resource that is added after that is released at once. Safe for use by many
 * threads.
 */
public final class HeldResources {

	/*
	 * A stack whose head is replaced by CLOSED once. Whoever replaces it owns all that
	 * was pushed before, and a push that finds CLOSED still owns what it would push, so
	 * each step runs exactly once. Attacked by HeldResourcesTests.
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
	 * Adds a resource, or releases it at once if the resources are closed.
	 * @param name what is released, for the log; a constant
	 * @param release releases the resource; runs once, must not block
	 * @return whether the resource is held, and not released already
	 */
	public boolean add(String name, Runnable release) {
		return add(new Held(name, release));
	}

	/**
	 * Adds a resource whose step depends on how the work ended.
	 * @param name what is released, for the log; a constant
	 * @param release releases the resource, given what the work failed with, if it did
	 * @return whether the resource is held, and not released already, as after a failure
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

	/** Returns whether the resources are released, or are about to be. */
	public boolean isClosed() {
		return this.head == CLOSED;
	}

	/**
	 * Releases all resources, the last first. Does nothing the second time.
	 * @param failure what the work failed with, if it did
	 * @return the first failure, with the others suppressed: that of the work, or that of
	 * a step; {@code null} if nothing failed
	 * @throws VirtualMachineError if a step threw it, after all steps have run
	 */
	public @Nullable Throwable close(@Nullable Throwable failure) {
		Held held = (Held) HEAD.getAndSet(this, CLOSED);
		return (held != CLOSED) ? close(held, failure, null) : failure;
	}

	/**
	 * Releases all resources, the last first, and then completes the work. Does nothing
	 * the second time.
	 * @param failure what the work failed with, if it did
	 * @param completion called last and always, with the first failure, as
	 * {@link #close(Throwable)} returns it
	 * @throws VirtualMachineError if a step threw it, after everything has run
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

		/** Returns what the step threw, which is suppressed by an earlier failure. */
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
