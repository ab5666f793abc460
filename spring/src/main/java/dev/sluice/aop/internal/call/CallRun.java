package dev.sluice.aop.internal.call;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.sluice.internal.HeldResources;
import dev.sluice.throttle.Permit;
import org.jspecify.annotations.Nullable;

/**
 * One run of a limited call, from before it asks for its permits until it has ended: what
 * it holds is released then, once, on whichever thread ends it.
 */
public final class CallRun implements Consumer<@Nullable Throwable> {

	/*
	 * The place in line and the permits are one resource: whoever closes the run releases
	 * the permits if it has them, and otherwise leaves the line, which closes a permit
	 * that comes too late. "granted" writes the permit before it looks whether the run
	 * has been closed, and then does not run the call. Attacked by LeftBehindTests.
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
	 * Holds the permits of a call that was admitted.
	 * @return whether the call can be made, as the run has not been ended meanwhile
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
	 * Ends the run, unless it has ended, and releases what it holds. Does not throw what
	 * a release throws, but for an error of the virtual machine.
	 * @param failure what the call failed with, if it did
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
