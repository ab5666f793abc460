package dev.sluice.internal;

import java.lang.System.Logger.Level;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Guard of calls to application code. Counts each failure and logs at most one failure
 * per minute, with its consequence. An {@code Error} is handled like an exception, except
 * that a {@link VirtualMachineError} is rethrown. Callers therefore close their
 * {@linkplain HeldResources resources} before the call or in a {@code finally} block.
 * Safe for use by many threads.
 */
public final class ExtensionPoint {

	/*
	 * The thread that advances "nextLog" by CAS writes the log, so there is one report a
	 * minute. It exchanges "logged" for the number of all failures, so that each failure
	 * is in one report. Attacked by ExtensionPointTests.
	 */

	private static final System.Logger logger = System.getLogger(ExtensionPoint.class.getName());

	private static final long LOG_INTERVAL = TimeUnit.MINUTES.toNanos(1);

	private final String name;

	private final String consequence;

	private final LongSupplier clock;

	private final LongAdder failures = new LongAdder();

	private final AtomicLong logged = new AtomicLong();

	private final AtomicLong nextLog;

	/**
	 * Creates the guard of one kind of call.
	 * @param name the type, and the method where it has several, such as
	 * {@code "ThrottleListener"}
	 * @param consequence the effect of a failure on the current call, such as
	 * {@code "the decision stands"}
	 */
	public ExtensionPoint(String name, String consequence) {
		this(name, consequence, System::nanoTime);
	}

	ExtensionPoint(String name, String consequence, LongSupplier clock) {
		this.name = name;
		this.consequence = consequence;
		this.clock = clock;
		this.nextLog = new AtomicLong(clock.getAsLong());
	}

	/**
	 * Calls an extension. A failure is reported and not rethrown.
	 * @param extension the object of the application
	 * @param call calls it
	 * @throws VirtualMachineError if the call throws it
	 */
	public void run(Object extension, Call call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			failed(extension, ex);
		}
	}

	/**
	 * Calls an extension that returns a value. If the call fails or returns {@code null},
	 * the failure is reported and the alternative value is returned.
	 * @param <T> the type of the value
	 * @param extension the object of the application
	 * @param call calls it
	 * @param otherwise the value after a failure
	 * @return the result of the call or the other value
	 * @throws VirtualMachineError if the call throws it
	 */
	public <T extends @Nullable Object> T get(Object extension, Callable<? extends @Nullable T> call, T otherwise) {
		try {
			T result = call.call();
			if (result != null) {
				return result;
			}
			failed(extension, noResult(extension));
		}
		catch (Throwable ex) {
			failed(extension, ex);
		}
		return otherwise;
	}

	/**
	 * Calls an extension whose result is required. A failure is counted and rethrown
	 * unchanged.
	 * @param <T> the type of the result
	 * @param extension the object of the application
	 * @param call calls it
	 * @return its result
	 * @throws IllegalStateException if the call returns {@code null}
	 */
	public <T> T require(Object extension, Callable<? extends @Nullable T> call) {
		try {
			T result = call.call();
			if (result == null) {
				throw noResult(extension);
			}
			return result;
		}
		catch (Throwable ex) {
			this.failures.increment();
			throw ExtensionPoint.<RuntimeException>unchecked(ex);
		}
	}

	/**
	 * Reports a failure. Used by calls that are too frequent to allocate a {@link Call}.
	 * @param extension the object of the application that threw it
	 * @param failure the exception or error that it threw
	 * @throws VirtualMachineError if {@code failure} is one
	 */
	public void failed(Object extension, Throwable failure) {
		report(extension.getClass().getName(), failure);
		if (failure instanceof VirtualMachineError fatal) {
			throw fatal;
		}
	}

	/** Counts and logs a failure. */
	void report(String subject, Throwable failure) {
		this.failures.increment();
		if (failure instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
		long now = this.clock.getAsLong();
		long next = this.nextLog.get();
		if (now - next >= 0 && this.nextLog.compareAndSet(next, now + LOG_INTERVAL)) {
			long all = this.failures.sum();
			log(subject, all - this.logged.getAndSet(all), failure);
		}
	}

	/** The log is code of the application, too: its failure changes nothing. */
	private void log(String subject, long count, Throwable failure) {
		try {
			logger.log(Level.WARNING, this.name + " " + subject + " failed; " + this.consequence
					+ ((count > 1) ? " (" + count + " failures since the last report)" : ""), failure);
		}
		catch (Throwable ex) {
			this.failures.increment();
		}
	}

	/** Returns the number of failures since the guard was created. */
	public long failures() {
		return this.failures.sum();
	}

	private IllegalStateException noResult(Object extension) {
		return new IllegalStateException(this.name + " " + extension.getClass().getName() + " returned null");
	}

	@SuppressWarnings("unchecked")
	private static <X extends Throwable> X unchecked(Throwable failure) throws X {
		throw (X) failure;
	}

	/** Call of an extension. */
	@FunctionalInterface
	public interface Call {

		void run() throws Throwable;

	}

}
