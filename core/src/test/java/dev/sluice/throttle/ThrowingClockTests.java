package dev.sluice.throttle;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Limits whose clock throws as permits are released and calls in line end. */
class ThrowingClockTests {

	private final BlockingQueue<Runnable> completions = new LinkedBlockingQueue<>();

	private volatile boolean broken;

	private boolean timerBroken;

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callThatWasGrantedEndsWithItsPermit(boolean stored) {
		Throttle mutex = manager(stored).addOrUpdate("mutex", Limit.mutex());
		Permit held = mutex.tryAcquire().permit();
		CompletableFuture<Permit> call = mutex.acquire("", 1, Duration.ofDays(1));
		held.close();

		deliver();

		close(call);
		assertThat(mutex.tryAcquire().admitted()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callThatIsRejectedEnds(boolean stored) {
		ThrottlingManager manager = manager(stored);
		Throttle mutex = manager.addOrUpdate("mutex", Limit.mutex());
		mutex.tryAcquire();
		CompletableFuture<Permit> call = mutex.acquire("", 1, Duration.ofDays(1));
		this.broken = stored;
		manager.close();

		deliver();

		assertThat(call).isCompletedExceptionally();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void permitIsReleasedAndTheNextCallIsServed(boolean stored) {
		Throttle mutex = manager(stored).addOrUpdate("mutex", Limit.mutex());
		Permit held = mutex.tryAcquire().permit();
		CompletableFuture<Permit> call = mutex.acquire("", 1, Duration.ofDays(1));
		this.broken = true;
		held.close();

		deliver();

		close(call);
		assertThat(mutex.snapshot(1)).returns(0L, ThrottleSnapshot::held).returns(0L, ThrottleSnapshot::waiting);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callThatIsCancelledLeavesTheLine(boolean stored) {
		Throttle semaphore = manager(stored).addOrUpdate("semaphore", Limit.semaphore(2));
		Permit held = semaphore.tryAcquire().permit();
		CompletableFuture<Permit> first = semaphore.acquire("", 2, Duration.ofDays(1));
		CompletableFuture<Permit> second = semaphore.acquire("", 1, Duration.ofDays(1));
		this.broken = true;
		first.cancel(false);

		deliver();

		close(second);
		held.close();
		assertThat(semaphore.snapshot(1)).returns(0L, ThrottleSnapshot::held).returns(0L, ThrottleSnapshot::waiting);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void jointCallIsServed(boolean stored) {
		ThrottlingManager manager = manager(stored);
		Throttle mutex = manager.addOrUpdate("mutex", Limit.mutex());
		Throttle semaphore = manager.addOrUpdate("semaphore", Limit.semaphore(1));
		Permit first = mutex.tryAcquire().permit();
		Permit second = semaphore.tryAcquire().permit();
		CompletableFuture<Permit> call = manager.acquire(AcquireRequest.of("mutex", "").maxWait(Duration.ofDays(1)),
				AcquireRequest.of("semaphore", "").maxWait(Duration.ofDays(1)));
		this.broken = true;
		first.close();
		deliver();
		this.broken = true;
		second.close();

		deliver();

		close(call);
		assertThat(manager.throttles())
			.allSatisfy((throttle) -> assertThat(throttle.snapshot(1)).returns(0L, ThrottleSnapshot::held)
				.returns(0L, ThrottleSnapshot::waiting));
	}

	@Test
	void callIsServedByTheTimeOfTheVirtualMachine() throws Exception {
		Throttle rate = manager(false).addOrUpdate("rate", Limit.slidingLog(1, Duration.ofMillis(50)));
		rate.tryAcquire();
		this.timerBroken = true;
		CompletableFuture<Permit> call = rate.acquire("", 1, Duration.ofDays(1));
		this.broken = true;

		while (!call.isDone()) {
			Runnable completion = this.completions.poll(10, TimeUnit.SECONDS);
			assertThat(completion).isNotNull();
			completion.run();
		}

		assertThat(call).isCompleted();
		assertThat(rate.snapshot(1).waiting()).isZero();
	}

	private static void close(CompletableFuture<Permit> granted) {
		assertThat(granted).isCompleted();
		granted.join().close();
	}

	private void deliver() {
		this.broken = true;
		Runnable completion;
		while ((completion = this.completions.poll()) != null) {
			completion.run();
		}
		this.broken = false;
	}

	private ThrottlingManager manager(boolean stored) {
		ThrottlingManager.Builder builder = ThrottlingManager.builder()
			.clock(new Clock())
			.completionExecutor(this.completions::add)
			.listener(new ThrottleListener() {
			});
		return (stored ? builder.store(ThrottleStore.inMemory(new Clock())) : builder).build();
	}

	private final class Clock implements NanoClock {

		@Override
		public long nanoTime() {
			if (ThrowingClockTests.this.broken) {
				throw new IllegalStateException("clock");
			}
			return System.nanoTime();
		}

		@Override
		public Future<?> schedule(Runnable task, Duration delay) {
			if (ThrowingClockTests.this.timerBroken) {
				throw new IllegalStateException("timer");
			}
			return NanoClock.super.schedule(task, delay);
		}

	}

}
