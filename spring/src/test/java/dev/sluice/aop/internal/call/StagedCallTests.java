package dev.sluice.aop.internal.call;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.Proxies;
import dev.sluice.aop.ThrottleGate;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class StagedCallTests {

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	private final Service target = new Service();

	private final Service service = Proxies.limited(this.target, ThrottleGate.builder(this.manager).build());

	@Test
	void permitIsHeldUntilTheStageHasEnded() {
		CompletableFuture<String> result = this.service.reject();
		assertThat(used()).isOne();
		this.target.stages.get(0).complete("done");
		assertThat(result).isCompletedWithValue("done");
		assertThat(used()).isZero();
	}

	@Test
	void whoIsToldOfTheEndFindsThePermitGivenBack() {
		CompletableFuture<Integer> seen = this.service.reject().thenApply((done) -> used());
		this.target.stages.get(0).complete("done");
		assertThat(seen).isCompletedWithValue(0);
	}

	@Test
	void whenTheStageFailsThenItsOwnExceptionIsTold() {
		CompletableFuture<String> result = this.service.reject();
		IllegalStateException failure = new IllegalStateException("of the method");
		this.target.stages.get(0).completeExceptionally(failure);
		assertThat(result).isCompletedExceptionally();
		assertThat(result.handle((value, ex) -> ex)).isCompletedWithValue(failure);
		assertThat(used()).isZero();
	}

	@Test
	void whenTheMethodThrowsThenSoDoesTheCall() {
		assertThatIllegalStateException().isThrownBy(() -> this.service.broken()).withMessage("broken");
		assertThat(used()).isZero();
	}

	@Test
	void whenTheMethodOfAWaitingCallThrowsThenTheStageTellsIt() {
		assertThat(this.service.brokenInLine().handle((value, ex) -> ex.getMessage())).isCompletedWithValue("broken");
		assertThat(used()).isZero();
	}

	@Test
	void whenRejectedThenTheMethodIsNotCalled() {
		this.service.reject();
		assertThatFails(this.service.reject());
		assertThatFails(this.service.stage().toCompletableFuture());
		assertThatFails(this.service.future());
		assertThat(this.target.stages).hasSize(1);
	}

	@Test
	void whenTheFallbackOfARejectedCallThrowsThenTheFutureTellsIt() {
		this.service.reject();
		assertThat(this.service.brokenFallback().handle((value, ex) -> ex.getMessage()))
			.isCompletedWithValue("fallback");
	}

	@Test
	void futureThatIsNoStageIsReturnedAsItIs() throws Exception {
		assertThat(this.service.task().get()).isEqualTo("done");
		assertThat(used()).isZero();
	}

	@Test
	void futureThatIsAStageHoldsThePermitUntilItEnds() {
		Future<String> result = this.service.future();
		assertThat(used()).isOne();
		this.target.stages.get(0).complete("done");
		assertThat(result).isDone();
		assertThat(used()).isZero();
	}

	@Test
	void whenTheMethodReturnsNothingThenThePermitIsGivenBack() {
		assertThat(this.service.nothing()).isNull();
		assertThat(used()).isZero();
	}

	@Test
	void whenCancelledThenTheStageOfTheMethodIs() {
		CompletableFuture<String> result = this.service.reject();
		result.cancel(true);
		assertThat(this.target.stages.get(0)).isCancelled();
		assertThat(used()).isZero();
	}

	@Test
	void aThousandWaitInLineWithoutAThread() {
		this.service.reject();
		int threads = Thread.activeCount();
		List<String> order = Collections.synchronizedList(new ArrayList<>());
		List<CompletableFuture<String>> results = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			results.add(this.service.await(i, order));
		}
		assertThat(this.manager.get("m").state("").waiting()).isEqualTo(1000);
		assertThat(Thread.activeCount()).isLessThan(threads + 100);
		this.target.stages.get(0).complete("done");
		assertThat(CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))).succeedsWithin(20,
				TimeUnit.SECONDS);
		assertThat(order).hasSize(1000).isSortedAccordingTo(Comparator.comparingInt(Integer::parseInt));
		assertThat(used()).isZero();
	}

	@Test
	void whenCancelledInLineThenItLeavesAndTheNextMovesUp() {
		this.service.await();
		CompletableFuture<String> second = this.service.await();
		CompletableFuture<String> third = this.service.await();
		assertThat(this.manager.get("m").state("").waiting()).isEqualTo(2);
		second.cancel(true);
		assertThat(this.manager.get("m").state("").waiting()).isEqualTo(1);
		this.target.stages.get(0).complete("first");
		Awaitility.await().until(() -> this.target.stages.size() == 2);
		this.target.stages.get(1).complete("third");
		assertThat(third).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo("third");
	}

	@Test
	void whenTheWaitIsTooLongThenTheStageTellsIt() {
		this.service.await();
		assertThat(this.service.awaitShortly()).failsWithin(20, TimeUnit.SECONDS)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(ThrottledException.class);
	}

	private static void assertThatFails(Future<String> result) {
		assertThat(result).isDone();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(result::get)
			.withCauseInstanceOf(ThrottledException.class);
	}

	private int used() {
		return this.manager.get("m").state("").used();
	}

	static class Service {

		private final List<CompletableFuture<String>> stages = new CopyOnWriteArrayList<>();

		@Mutex("m")
		CompletableFuture<String> reject() {
			return next();
		}

		@Mutex("m")
		CompletionStage<String> stage() {
			return next();
		}

		@Mutex("m")
		Future<String> future() {
			return next();
		}

		@Mutex("m")
		Future<String> task() {
			FutureTask<String> task = new FutureTask<>(() -> "done");
			task.run();
			return task;
		}

		@Mutex("m")
		CompletableFuture<String> broken() {
			throw new IllegalStateException("broken");
		}

		@Mutex("m")
		@WhenThrottled(action = Action.WAIT)
		CompletableFuture<String> brokenInLine() {
			throw new IllegalStateException("broken");
		}

		@Mutex("m")
		@WhenThrottled(fallback = "fallback")
		CompletableFuture<String> brokenFallback() {
			return next();
		}

		CompletableFuture<String> fallback() {
			throw new IllegalStateException("fallback");
		}

		@Mutex("m")
		@Nullable CompletableFuture<String> nothing() {
			return null;
		}

		@Mutex("m")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		CompletableFuture<String> await() {
			return next();
		}

		@Mutex("m")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		CompletableFuture<String> await(int number, List<String> order) {
			order.add(String.valueOf(number));
			return CompletableFuture.completedFuture("done");
		}

		@Mutex("m")
		@WhenThrottled(action = Action.WAIT, maxWait = "1ms")
		CompletableFuture<String> awaitShortly() {
			return next();
		}

		private CompletableFuture<String> next() {
			CompletableFuture<String> stage = new CompletableFuture<>();
			this.stages.add(stage);
			return stage;
		}

	}

}
