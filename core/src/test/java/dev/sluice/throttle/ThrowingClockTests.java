package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls in line of which the clock throws as their outcome is delivered. */
class ThrowingClockTests {

	private final Queue<Runnable> completions = new ArrayDeque<>();

	private boolean broken;

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callThatWasGrantedEndsWithItsPermit(boolean stored) {
		Throttle mutex = manager(stored).addOrUpdate("mutex", Limit.mutex());
		Permit held = mutex.tryAcquire().permit();
		CompletableFuture<Permit> call = mutex.acquire("", 1, Duration.ofDays(1));
		held.close();

		deliver();

		assertThat(call).isCompleted();
		call.join().close();
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
			.clock(this::nanoTime)
			.completionExecutor(this.completions::add)
			.listener(new ThrottleListener() {
			});
		return (stored ? builder.store(ThrottleStore.inMemory(NanoClock.system())) : builder).build();
	}

	private long nanoTime() {
		if (this.broken) {
			throw new IllegalStateException("clock");
		}
		return System.nanoTime();
	}

}
