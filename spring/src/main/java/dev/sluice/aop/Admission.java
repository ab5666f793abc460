package dev.sluice.aop;

import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.aop.internal.call.CallBody;
import dev.sluice.aop.internal.call.CallRun;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/**
 * Decision of the limits of a method on a call that is about to be made: its permits, or
 * a rejection. Belongs to one call.
 *
 * @since 0.1.0
 */
public final class Admission {

	/*
	 * "taken" is set once, by CAS: by the call that uses the permits, or by the release.
	 * The other state is used by the thread that runs the call. Attacked by
	 * DispatchedCallTests.
	 */

	/** The limits have not been consulted; the call consults them itself. */
	static final Admission NONE = new Admission(null, Map.of(), CompletableFuture.completedFuture(Permit.spent()),
			new AcquireRequest[0], null);

	/** The admission that the advisor has not yet consumed on this thread. */
	private static final ThreadLocal<@Nullable Admission> BOUND = new ThreadLocal<>();

	private final @Nullable Method method;

	private final Map<String, ? extends @Nullable Object> variables;

	private final CompletableFuture<Permit> entry;

	private final AcquireRequest[] asked;

	private final @Nullable CallRun run;

	private final AtomicBoolean taken = new AtomicBoolean();

	private @Nullable ThrottledException rejection;

	Admission(@Nullable Method method, Map<String, ? extends @Nullable Object> variables,
			CompletableFuture<Permit> entry, AcquireRequest[] asked, @Nullable CallRun run) {
		this.method = method;
		this.variables = variables;
		this.entry = entry;
		this.asked = asked;
		this.run = run;
	}

	/**
	 * Runs a call that reaches the method through the bean's proxy. The first call of the
	 * method on this thread uses the permits, and they end with it as usual; if the
	 * admission is a rejection, that call is rejected. Permits that no call takes are
	 * released.
	 * @param body calls the method, on the calling thread
	 */
	public void run(Runnable body) {
		try {
			call(() -> {
				body.run();
				return null;
			});
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new UndeclaredThrowableException(ex);
		}
	}

	/** Makes a call as {@link #run(Runnable)} does, and returns its result. */
	@Nullable Object call(CallBody body) throws Throwable {
		if (this.method == null) {
			return body.run();
		}
		Admission outer = BOUND.get();
		BOUND.set(this);
		try {
			return body.run();
		}
		finally {
			if (outer != null) {
				BOUND.set(outer);
			}
			else {
				BOUND.remove();
			}
			release();
		}
	}

	/**
	 * Returns the rejection that the call that was {@linkplain #run(Runnable) run} threw;
	 * for the thread that ran it.
	 * @return the rejection, or {@code null} if the call was not rejected, or had a
	 * substitute result
	 */
	public @Nullable ThrottledException rejection() {
		return this.rejection;
	}

	/** Called when the call has no substitute result. */
	void rejected(ThrottledException rejection) {
		this.rejection = rejection;
	}

	/** Releases the permits, unless a call has them. */
	void release() {
		if (this.taken.compareAndSet(false, true) && this.run != null) {
			this.run.end(new CancellationException("The call was not made"));
		}
	}

	/**
	 * Returns the run that holds the permits; {@code null} if the limits were not
	 * consulted.
	 */
	@Nullable CallRun run() {
		return this.run;
	}

	/** Removes the admission of a method from the thread, if present. */
	static @Nullable Admission take(Method method) {
		Admission bound = BOUND.get();
		if (bound == null || !method.equals(bound.method) || !bound.taken.compareAndSet(false, true)) {
			return null;
		}
		return bound;
	}

	Map<String, ? extends @Nullable Object> variables() {
		return this.variables;
	}

	AcquireRequest[] asked() {
		return this.asked;
	}

	/** Returns the permits or throws the rejection. */
	Permit enter() {
		try {
			return this.entry.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException reason) ? reason : ex;
		}
	}

}
