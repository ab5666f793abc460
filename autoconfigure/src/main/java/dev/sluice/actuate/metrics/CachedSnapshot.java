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

	private volatile @Nullable Look<T> last;

	CachedSnapshot(Supplier<T> source, Clock clock) {
		this.source = source;
		this.clock = clock;
	}

	@Override
	public T get() {
		long now = this.clock.monotonicTime();
		Look<T> look = this.last;
		if (look == null || now - look.nanos() >= MAX_AGE) {
			look = new Look<>(this.source.get(), now);
			this.last = look;
		}
		return look.value();
	}

	/** Snapshot with its time. */
	private record Look<T extends @Nullable Object>(T value, long nanos) {

	}

}
