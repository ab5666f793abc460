package dev.sluice.actuate.metrics;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot that is kept for a moment, for meters that read the same costly snapshot one
 * after another. Two threads may create a snapshot at the same time; either result is
 * valid.
 */
final class CachedSnapshot<T extends @Nullable Object> implements Supplier<T> {

	private static final long MAX_AGE = TimeUnit.SECONDS.toNanos(1);

	private final Supplier<T> source;

	private final Clock clock;

	private volatile @Nullable Reading<T> last;

	CachedSnapshot(Supplier<T> source, Clock clock) {
		this.source = source;
		this.clock = clock;
	}

	@Override
	public T get() {
		long now = this.clock.monotonicTime();
		Reading<T> reading = this.last;
		if (reading == null || now - reading.nanos() >= MAX_AGE) {
			reading = new Reading<>(this.source.get(), now);
			this.last = reading;
		}
		return reading.value();
	}

	/** Snapshot with its time. */
	private record Reading<T extends @Nullable Object>(T value, long nanos) {

	}

}
