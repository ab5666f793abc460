package dev.sluice.aop;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ThrottlingTemplateTests {

	private static final AcquireRequest MUTEX = AcquireRequest.of("m");

	private static final AcquireRequest MUTEX_IN_LINE = MUTEX.maxWait(Duration.ofMinutes(1));

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	private final ThrottlingTemplate template = new ThrottlingTemplate(this.manager, BlockingWaits.unbounded());

	@BeforeEach
	void define() {
		this.manager.addOrUpdate("m", Limit.mutex());
		this.manager.addOrUpdate("rate", Limit.slidingLog(1, Duration.ofHours(1)));
	}

	@Test
	void callHoldsItsPermitsToItsEnd() {
		assertThat(this.template.call(this::used, MUTEX)).isOne();
		assertThat(used()).isZero();
	}

	@Test
	void whenTheCallThrowsThenItsExceptionIsThrownOnAndThePermitGivenBack() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.template.call(() -> {
			throw new IOException("broken");
		}, MUTEX)).withMessage("broken");
		assertThat(used()).isZero();
	}

	@Test
	void whenOneLimitRejectsThenNothingIsTakenOfTheOthers() {
		AcquireRequest rate = AcquireRequest.of("rate");
		this.template.call(() -> "first", rate);
		assertThatExceptionOfType(ThrottledException.class)
			.isThrownBy(() -> this.template.call(() -> "second", MUTEX, rate))
			.satisfies((ex) -> assertThat(ex.resource()).isEqualTo("rate"));
		assertThat(used()).isZero();
	}

	@Test
	void whenRejectedThenTheFallbackIsCalledAndTheCallIsNot() {
		Permit held = this.manager.tryAcquire(MUTEX).permit();
		assertThat(this.template.<String, RuntimeException>call(() -> {
			throw new IllegalStateException("must not be called");
		}, (rejection) -> "later " + rejection.resource(), MUTEX)).isEqualTo("later m");
		held.close();
		assertThat(this.template.call(() -> "done", (rejection) -> "later", MUTEX)).isEqualTo("done");
	}

	@Test
	void whatAnotherLimitRejectsInsideIsNotForTheFallback() {
		this.template.call(() -> "first", AcquireRequest.of("rate"));
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> this.template
			.call(() -> this.template.call(() -> "inner", AcquireRequest.of("rate")), (rejection) -> "later", MUTEX));
	}

	@Test
	void callWaitsItsTurn() throws Exception {
		Permit held = this.manager.tryAcquire(MUTEX).permit();
		CompletableFuture<String> call = CompletableFuture
			.supplyAsync(() -> this.template.call(() -> "done", MUTEX_IN_LINE));
		awaitWaiting();
		held.close();
		assertThat(call).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo("done");
	}

	@Test
	void whenInterruptedInLineThenTheCallLeavesIt() throws Exception {
		try (Permit held = this.manager.tryAcquire(MUTEX).permit()) {
			CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
			Thread thread = new Thread(() -> assertThatExceptionOfType(CancellationException.class)
				.isThrownBy(() -> this.template.call(() -> "done", MUTEX_IN_LINE))
				.withMessage("Interrupted in line for 'm'")
				.satisfies((ex) -> interrupted.complete(Thread.currentThread().isInterrupted())));
			thread.start();
			awaitWaiting();
			thread.interrupt();
			assertThat(interrupted).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo(true);
			assertThat(this.manager.get("m").state("").waiting()).isZero();
			assertThat(held).isNotNull();
		}
	}

	@Test
	void asynchronousCallWaitsWithoutAThreadAndHoldsItsPermitsUntilItsStageEnds() {
		Permit held = this.manager.tryAcquire(MUTEX).permit();
		CompletableFuture<String> stage = new CompletableFuture<>();
		CompletableFuture<String> result = this.template.callAsync(() -> stage, MUTEX_IN_LINE);
		assertThat(this.manager.get("m").state("").waiting()).isOne();
		held.close();
		assertThat(used()).isOne();
		stage.complete("done");
		assertThat(result).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo("done");
		assertThat(used()).isZero();
	}

	@Test
	void asynchronousCallThatIsRejectedFails() {
		try (Permit held = this.manager.tryAcquire(MUTEX).permit()) {
			assertThat(this.template.callAsync(CompletableFuture::new, MUTEX)).failsWithin(0, TimeUnit.SECONDS)
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(ThrottledException.class);
			assertThat(held).isNotNull();
		}
	}

	@Test
	void asynchronousCallThatIsRejectedFallsBack() {
		try (Permit held = this.manager.tryAcquire(MUTEX).permit()) {
			assertThat(this.template.callAsync(CompletableFuture::new,
					(rejection) -> CompletableFuture.completedFuture("later " + rejection.resource()), MUTEX))
				.isCompletedWithValue("later m");
			assertThat(held).isNotNull();
		}
	}

	@Test
	void whenTheFutureIsCancelledInLineThenTheCallLeavesIt() {
		try (Permit held = this.manager.tryAcquire(MUTEX).permit()) {
			CompletableFuture<String> result = this.template.callAsync(CompletableFuture::new, MUTEX_IN_LINE);
			result.cancel(false);
			assertThat(this.manager.get("m").state("").waiting()).isZero();
			assertThat(held).isNotNull();
		}
	}

	@Test
	void whenNothingIsAskedForThenThrows() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.template.call(() -> "done"))
			.withMessage("'requests' must not be empty");
	}

	private int used() {
		return this.manager.get("m").state("").used();
	}

	private void awaitWaiting() {
		Awaitility.await().until(() -> this.manager.get("m").state("").waiting() == 1);
	}

}
