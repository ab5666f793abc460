package dev.sluice.batch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import dev.sluice.test.SettableClock;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each extension of a batch throws or returns {@code null}, at each call or at the first:
 * all futures end, and nothing waits.
 */
class ThrowingExtensionsTests {

	private static final int ITEMS = 6;

	/** Time that passes in earnest while the timer of the clock fails. */
	private static final Duration SHORT = Duration.ofMillis(1);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final SettableClock clock = new SettableClock();

	static Stream<Arguments> attacks() {
		return Arrays.stream(Extension.values())
			.flatMap((extension) -> Arrays.stream(Fault.values())
				.flatMap((fault) -> Stream.of(Arguments.of(extension, fault, 1),
						Arguments.of(extension, fault, Integer.MAX_VALUE))));
	}

	@ParameterizedTest
	@MethodSource("attacks")
	void allFuturesEndAndNothingWaits(Extension extension, Fault fault, int times) {
		Attack attack = new Attack(extension, fault, (extension == Extension.CLOCK) ? 0 : times);
		BatchConsumer<Integer> consumer = BatchConsumer.<Integer>builder()
			.slots(2)
			.batchSize(2)
			.pushInterval(SHORT)
			.retry((failures, failure) -> attack.call(Extension.RETRY_POLICY, (failures < 3) ? SHORT : null))
			.errorHandler((items, slot, failure) -> attack.call(Extension.ERROR_HANDLER, null))
			.listener((slot, items, outcome, nanos) -> attack.call(Extension.LISTENER, null))
			.executor((task) -> {
				attack.call(Extension.EXECUTOR, null);
				task.run();
			})
			.clock(new AttackedClock(this.clock, attack))
			.build();
		List<Integer> pumped = new ArrayList<>();
		attack.times = times;
		consumer.start((items, slot) -> {
			CompletionStage<?> done = attack.call(Extension.PUMP, CompletableFuture.completedFuture(null));
			if (slot == 1) {
				throw new IOException("expected");
			}
			pumped.addAll(items);
			return done;
		});
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = 0; i < ITEMS; i++) {
			futures.add(consumer.push(i, 0));
			futures.add(consumer.push(i, 1));
		}
		for (int i = 0; i < ITEMS; i++) {
			this.clock.advance(MINUTE);
		}
		CompletableFuture<?> completed = consumer.complete(true);
		for (int i = 0; i < ITEMS; i++) {
			this.clock.advance(MINUTE);
		}

		if (extension == Extension.TIMER) {
			assertThat(completed).succeedsWithin(MINUTE);
		}
		assertThat(completed).isDone();
		assertThat(futures).allMatch(CompletableFuture::isDone);
		assertThat(consumer.snapshot().slots()).allSatisfy((slot) -> {
			assertThat(slot.waiting()).isZero();
			assertThat(slot.inFlight()).isZero();
		});
		if (extension == Extension.LISTENER || extension == Extension.ERROR_HANDLER) {
			assertThat(pumped).containsExactly(0, 1, 2, 3, 4, 5);
		}
	}

	/** Code of the application that a batch calls. */
	enum Extension {

		PUMP, RETRY_POLICY, ERROR_HANDLER, LISTENER, EXECUTOR, CLOCK, TIMER

	}

	/** What an extension does in place of its work. */
	enum Fault {

		EXCEPTION, ERROR, FATAL, CHECKED, NULL, FAILED_STAGE

	}

	/** Clock that a fault may affect. */
	private record AttackedClock(NanoClock clock, Attack attack) implements NanoClock {

		@Override
		public long nanoTime() {
			attack().call(Extension.CLOCK, null);
			return clock().nanoTime();
		}

		@Override
		@SuppressWarnings("NullAway")
		public Future<?> schedule(Runnable task, Duration delay) {
			return attack().call(Extension.TIMER, clock().schedule(task, delay));
		}

	}

	/** Fault of one extension, a number of times. */
	private static final class Attack {

		private final Extension attacked;

		private final Fault fault;

		private int times;

		Attack(Extension attacked, Fault fault, int times) {
			this.attacked = attacked;
			this.fault = fault;
			this.times = times;
		}

		@SuppressWarnings("unchecked")
		<T> @Nullable T call(Extension extension, @Nullable T result) {
			if (extension != this.attacked || this.times-- <= 0) {
				return result;
			}
			return switch (this.fault) {
				case EXCEPTION -> throw new IllegalStateException("expected");
				case ERROR -> throw new AssertionError("expected");
				case FATAL -> throw new InternalError("expected");
				case CHECKED -> throw Attack.<RuntimeException>unchecked(new IOException("expected"));
				case NULL -> null;
				case FAILED_STAGE -> (result instanceof CompletionStage<?>)
						? (T) CompletableFuture.failedFuture(new IOException("expected")) : result;
			};
		}

		@SuppressWarnings("unchecked")
		private static <X extends Throwable> X unchecked(Throwable failure) throws X {
			throw (X) failure;
		}

	}

}
