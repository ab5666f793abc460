package dev.sluice.aop.internal.call;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.sluice.internal.HeldResources;
import dev.sluice.throttle.Permit;
import org.jspecify.annotations.Nullable;

/**
 * One run of a limited call, from before it acquires its permits until it has ended. Its
 * permits are released then, once, on the thread that ends it.
 */
public final class CallRun implements Consumer<@Nullable Throwable> {

	/*
	 * The place in line and the permits are one resource. Closing the run releases the
	 * permits if it has them, and otherwise leaves the line, which closes a permit that
	 * arrives too late. "granted" writes the permit before it checks whether the run has
	 * been closed, and then does not run the call. Attacked by LeftBehindTests.
	 */

	private final GatedCall call;

	private final HeldResources resources = new HeldResources();

	private volatile @Nullable CompletableFuture<Permit> entering;

	private volatile @Nullable Permit permit;

	CallRun(GatedCall call) {
		this.call = call;
		call.addReleases(this.resources);
	}

	/** Holds a place in line. */
	void waitFor(CompletableFuture<Permit> entering) {
		this.entering = entering;
		this.resources.addOutcome("permits", this);
	}

	/**
	 * Sets the permits of a call that was admitted.
	 * @return whether the call can be made, because the run has not been ended in the
	 * meantime
	 */
	public boolean granted(Permit permit) {
		boolean added = this.permit != null || this.entering != null;
		this.permit = permit;
		if (!added) {
			return this.resources.addOutcome("permits", this);
		}
		return !this.resources.isClosed();
	}

	/**
	 * Ends the run unless it has already ended, and releases its permits. An exception of
	 * a release is not thrown, except for an error of the virtual machine.
	 * @param failure the failure of the call, or {@code null}
	 */
	public void end(@Nullable Throwable failure) {
		this.resources.close(failure);
	}

	/** Releases the permits, or leaves the line. */
	@Override
	public void accept(@Nullable Throwable failure) {
		Permit permit = this.permit;
		CompletableFuture<Permit> entering = this.entering;
		if (permit != null) {
			this.call.release(permit, failure != null);
		}
		else if (entering != null && !entering.cancel(false)) {
			entering.thenAccept(Permit::close);
		}
	}

}
