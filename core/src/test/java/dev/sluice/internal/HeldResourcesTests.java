package dev.sluice.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HeldResourcesTests {

	private final HeldResources resources = new HeldResources();

	private final List<String> released = new ArrayList<>();

	@Test
	void closeReleasesInReverseOrderOnce() {
		hold("first");
		hold("second");
		hold("third");

		assertThat(this.resources.close(null)).isNull();
		assertThat(this.resources.close(null)).isNull();

		assertThat(this.released).containsExactly("third", "second", "first");
		assertThat(this.resources.isClosed()).isTrue();
	}

	@Test
	void resourceAddedAfterCloseIsReleasedAtOnce() {
		this.resources.close(null);

		assertThat(hold("late")).isFalse();
		assertThat(this.released).containsExactly("late");
	}

	@Test
	void lateResourceThatFailsDoesNotThrow() {
		this.resources.close(null);

		assertThat(failing("late", new IllegalStateException("late"))).isFalse();
	}

	@Test
	void stepThatFailsKeepsNoOtherFromRunning() {
		Throwable error = new AssertionError("second");
		Throwable exception = new IllegalStateException("fourth");
		hold("first");
		failing("second", error);
		hold("third");
		failing("fourth", exception);

		assertThat(this.resources.close(null)).isSameAs(exception).hasSuppressedException(error);
		assertThat(this.released).containsExactly("fourth", "third", "second", "first");
	}

	@Test
	void failureOfTheWorkComesFirst() {
		Throwable failure = new IllegalStateException("work");
		Throwable step = new IllegalStateException("step");
		failing("step", step);

		assertThat(this.resources.close(failure)).isSameAs(failure).hasSuppressedException(step);
	}

	@Test
	void stepThatThrowsTheFailureOfTheWorkSuppressesNothing() {
		Throwable failure = new IllegalStateException("work");
		failing("step", failure);

		assertThat(this.resources.close(failure)).isSameAs(failure).hasNoSuppressedExceptions();
	}

	@Test
	void completionRunsLastAndOnce() {
		hold("first");
		failing("second", new IllegalStateException("second"));

		this.resources.close(null, this::complete);
		this.resources.close(null, this::complete);

		assertThat(this.released).containsExactly("second", "first", "completed: second");
	}

	@Test
	void errorOfTheVirtualMachineIsPassedOnAfterAllStepsAndTheCompletion() {
		VirtualMachineError fatal = new StackOverflowError("second");
		hold("first");
		failing("second", fatal);

		assertThatExceptionOfType(StackOverflowError.class)
			.isThrownBy(() -> this.resources.close(new IllegalStateException("work"), this::complete))
			.isSameAs(fatal);
		assertThat(this.released).containsExactly("second", "first", "completed: work");
	}

	@Test
	void resourceAddedByAStepIsReleasedAtOnce() {
		hold("first");
		this.resources.add("second", () -> hold("late"));

		this.resources.close(null);

		assertThat(this.released).containsExactly("late", "first");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void everyResourceIsReleasedOnceWhateverTheThreads(int closers) throws Exception {
		int adders = 2;
		int each = 100;
		ExecutorService threads = Executors.newFixedThreadPool(adders + closers);
		try {
			for (int round = 0; round < 300; round++) {
				HeldResources contended = new HeldResources();
				AtomicIntegerArray counts = new AtomicIntegerArray(adders * each);
				AtomicInteger ready = new AtomicInteger();
				List<Future<?>> ends = new ArrayList<>();
				for (int thread = 0; thread < adders + closers; thread++) {
					int base = thread * each;
					ends.add(threads.submit(() -> {
						ready.incrementAndGet();
						while (ready.get() < adders + closers) {
							Thread.yield();
						}
						if (base >= counts.length()) {
							contended.close(null);
							return;
						}
						for (int i = base; i < base + each; i++) {
							int index = i;
							contended.add("resource", () -> counts.incrementAndGet(index));
						}
					}));
				}
				for (Future<?> end : ends) {
					end.get();
				}
				assertThat(IntStream.range(0, counts.length()).map(counts::get)).containsOnly(1);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void futureCompletesAfterTheReleases() {
		CompletableFuture<String> result = new CompletableFuture<>();
		this.resources.add("permit", () -> this.released.add(result.isDone() ? "too late" : "in time"));

		this.resources.close(null, (failure) -> result.complete("done"));

		assertThat(result).isCompletedWithValue("done");
		assertThat(this.released).containsExactly("in time");
	}

	private boolean hold(String name) {
		return this.resources.add(name, () -> this.released.add(name));
	}

	private boolean failing(String name, Throwable failure) {
		return this.resources.add(name, () -> {
			this.released.add(name);
			HeldResourcesTests.<RuntimeException>raise(failure);
		});
	}

	private void complete(@Nullable Throwable failure) {
		this.released.add("completed: " + ((failure != null) ? failure.getMessage() : ""));
	}

	@SuppressWarnings("unchecked")
	private static <X extends Throwable> void raise(Throwable failure) throws X {
		throw (X) failure;
	}

}
