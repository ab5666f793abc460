package dev.sluice.throttle.internal.rate;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import dev.sluice.TestVolume;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.internal.memory.Backoff;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

/**
 * Explores the interleavings of the lock-free path, the guarded path, a clock that
 * advances and a successor under changed terms, on one cell of each kind, and compares
 * with calls one after another.
 */
public class RateCellLincheckTests {

	@ParameterizedTest
	@ValueSource(classes = { Log.class, Fixed.class, Sliding.class, Bucket.class })
	void concurrentCallsAreEquivalentToSomeSequence(Class<?> rate) {
		check(rate, 500);
	}

	@Test
	void concurrentCallsOfADynamicWindowAreEquivalentToSomeSequence() {
		check(Dynamic.class, 200);
	}

	private static void check(Class<?> rate, int invocations) {
		new ModelCheckingOptions().iterations(TestVolume.of(20))
			.invocationsPerIteration(Math.max(100, TestVolume.of(invocations)))
			.threads(2)
			.actorsPerThread(3)
			.addGuarantee(forClasses(Backoff.class.getName()).allMethods().ignore())
			.check(rate);
	}

	public static final class Log extends Rate {

		public Log() {
			super(Limit.slidingLog(3, Duration.ofNanos(10)), Limit.slidingLog(5, Duration.ofNanos(10)));
		}

		@Override
		RateCell create(CompiledLimit terms) {
			return new SlidingLogCell(terms);
		}

	}

	public static final class Fixed extends Rate {

		public Fixed() {
			super(Limit.fixedWindow(3, Duration.ofNanos(10)), Limit.fixedWindow(5, Duration.ofNanos(10)));
		}

		@Override
		RateCell create(CompiledLimit terms) {
			return new FixedWindowCell(terms);
		}

	}

	public static final class Sliding extends Rate {

		public Sliding() {
			super(Limit.slidingWindow(3, Duration.ofNanos(10), 2), Limit.slidingWindow(5, Duration.ofNanos(10), 2));
		}

		@Override
		RateCell create(CompiledLimit terms) {
			return new SlidingWindowCell(terms);
		}

	}

	public static final class Bucket extends Rate {

		public Bucket() {
			super(Limit.tokenBucket(3, 3, Duration.ofNanos(10)), Limit.tokenBucket(5, 3, Duration.ofNanos(10)));
		}

		@Override
		RateCell create(CompiledLimit terms) {
			return new TokenBucketCell(terms);
		}

	}

	/** Its cells share a guard, so a second key matters to the first. */
	public static final class Dynamic extends Rate {

		private DynamicWindowShares shares;

		private final RateCell other;

		public Dynamic() {
			super(Limit.dynamicWindow(3, 1, 3, Duration.ofNanos(10), 2),
					Limit.dynamicWindow(3, 1, 3, Duration.ofNanos(10), 2));
			this.other = create(this.terms);
		}

		@Override
		RateCell create(CompiledLimit terms) {
			if (this.shares == null) {
				this.shares = new DynamicWindowShares(terms);
			}
			return new DynamicWindowCell(terms, this.shares);
		}

		@Operation
		public boolean tryAcquireOther() {
			return tryAcquire(() -> this.other, 1);
		}

	}

	/** The operations on one key. */
	public abstract static class Rate {

		private final AtomicLong now = new AtomicLong();

		private final Limit changed;

		private volatile RateCell cell;

		final CompiledLimit terms;

		Rate(Limit limit, Limit changed) {
			this.terms = new CompiledLimit("rate", limit, LimitOptions.defaults(), this.now::get);
			this.changed = changed;
			this.cell = create(this.terms);
		}

		abstract RateCell create(CompiledLimit terms);

		@Operation
		public boolean tryAcquire(@Param(gen = IntGen.class, conf = "1:2") int permits) {
			return tryAcquire(() -> this.cell, permits);
		}

		boolean tryAcquire(Supplier<RateCell> cell, int permits) {
			long wait = cell.get().tryAcquire(permits);
			return (wait == RateCell.UNDECIDED) ? tryAcquireGuarded(cell, permits) : wait <= 0;
		}

		@Operation
		public boolean takeGuarded() {
			return tryAcquireGuarded(() -> this.cell, 1);
		}

		private boolean tryAcquireGuarded(Supplier<RateCell> cells, int permits) {
			RateCell cell = lock(cells);
			long now = this.now.get();
			boolean admitted = cell.earliest(permits, now) == 0;
			if (admitted) {
				cell.take(permits, now);
			}
			cell.unlock();
			return admitted;
		}

		@Operation
		public void advance(@Param(gen = IntGen.class, conf = "4:9") int nanos) {
			this.now.addAndGet(nanos);
		}

		@Operation
		public void change() {
			RateCell cell = lock(() -> this.cell);
			RateCell successor = create(this.terms.changed(this.changed, LimitOptions.defaults()));
			successor.adopt(cell, this.now.get());
			successor.inherit(cell);
			this.cell = successor;
			cell.kill();
			successor.unlock();
		}

		private static RateCell lock(Supplier<RateCell> cells) {
			RateCell cell;
			do {
				cell = cells.get();
			}
			while (!cell.lock());
			return cell;
		}

	}

}
