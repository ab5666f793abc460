package dev.sluice.aop;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

import dev.sluice.annotation.Action;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/**
 * One call of a limited method: how it gets in, what it does then, and what becomes of it
 * if it does not get in.
 */
final class GatedCall {

	private final ThrottledMethod method;

	private final CallContext context;

	private final BlockingWaits blockingWaits;

	private final @Nullable Object target;

	private final Body body;

	private final Supplier<@Nullable Object> empty;

	private final List<Runnable> releases;

	GatedCall(ThrottledMethod method, CallContext context, BlockingWaits blockingWaits, @Nullable Object target,
			Body body, Supplier<@Nullable Object> empty) {
		this.method = method;
		this.context = context;
		this.blockingWaits = blockingWaits;
		this.target = target;
		this.body = body;
		this.empty = empty;
		this.releases = method.releases(context);
	}

	boolean waits() {
		return this.method.waits();
	}

	/** Runs the method itself. */
	@Nullable Object proceed() throws Throwable {
		return this.body.run();
	}

	/** Lets the call in now, or throws. */
	Permit enter() {
		return take(this.method.requests(this.context));
	}

	/**
	 * Lets the call in when the method's policy does, or throws; may block until then.
	 */
	Permit await() {
		if (!waits()) {
			return enter();
		}
		CompletableFuture<Permit> entering = enterLater();
		try {
			if (!entering.isDone() && !this.blockingWaits.block(entering::get)) {
				leave(entering);
				return enter();
			}
			return entering.get();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof ThrottledException refusal) ? refusal
					: new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException ex) {
			leave(entering);
			Thread.currentThread().interrupt();
			throw new CancellationException("Interrupted in line for " + this.method);
		}
	}

	/** Lets the call in when the method's policy does; never blocks. */
	CompletableFuture<Permit> enterLater() {
		AcquireRequest[] requests = this.method.requests(this.context);
		if (waits() && requests.length != 0) {
			return this.method.manager().acquire(requests);
		}
		try {
			return CompletableFuture.completedFuture(take(requests));
		}
		catch (ThrottledException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Gives up a place in line, and the permit if it came meanwhile. */
	static void leave(CompletableFuture<Permit> entering) {
		if (!entering.cancel(false)) {
			entering.thenAccept(Permit::close);
		}
	}

	/** Ends a call that was let in. */
	void end(Permit permit, boolean failed) {
		if (failed || !this.method.keeps()) {
			permit.close();
		}
		this.releases.forEach(Runnable::run);
	}

	/** Returns what stands in for the result of a call that was not let in, or throws. */
	@Nullable Object refuse(ThrottledException refusal) throws Throwable {
		Fallback fallback = this.method.policy().fallback();
		if (fallback != null) {
			return fallback.call(this.target, this.context.arguments(), refusal);
		}
		if (this.method.policy().action() == Action.DROP) {
			return this.empty.get();
		}
		throw refusal;
	}

	private Permit take(AcquireRequest[] requests) {
		if (requests.length == 0) {
			return NoPermit.INSTANCE;
		}
		Decision decision = this.method.manager().tryAcquire(requests);
		if (!decision.admitted()) {
			throw decision.throttled();
		}
		return decision.permit();
	}

}
