package dev.sluice.aop;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.BeanUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Calls within calls that hold what they want. */
@Timeout(20)
class NestedCallsTests {

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	private final ThrottleGate gate = ThrottleGate.builder(this.manager).build();

	private final Service target = new Service();

	private final Service service = Proxies.limited(this.target, this.gate);

	@Test
	void callThatWouldWaitForItselfIsRejectedAtOnce() {
		assertRejected(() -> this.service.waiting("a", () -> this.service.waiting("a", () -> "done")),
				Decision.Reason.NESTED);
		assertThat(this.manager.get("order").state("a").waiting()).isZero();
		assertThat(this.manager.get("order").state("a").used()).isZero();
	}

	@Test
	void callWithinOneThatWasAdmittedBeforeItWasMadeIsRejectedAtOnce() {
		Method waiting = BeanUtils.resolveSignature("waiting", Service.class);
		Callable<String> nested = () -> this.service.waiting("a", () -> "done");
		Admission admission = this.gate.admit(waiting, this.target, new Object[] { "a", nested }, Map.of()).join();
		admission.run(() -> assertRejected(() -> this.service.waiting("a", nested), Decision.Reason.NESTED));
		assertThat(this.manager.get("order").state("a").used()).isZero();
	}

	@Test
	void reasonOfACallThatDoesNotWaitIsTheSame() {
		assertRejected(() -> this.service.waiting("a", () -> this.service.rejecting("a")), Decision.Reason.NESTED);
	}

	@Test
	void callForAnotherKeyIsNotNested() throws Exception {
		assertThat(this.service.waiting("a", () -> this.service.waiting("b", () -> "done"))).isEqualTo("done");
	}

	@Test
	void callForAnotherKeyWaitsForIt() throws Exception {
		this.service.waiting("b", () -> "done");
		Permit other = this.manager.get("order").tryAcquire("b").permit();
		CompletableFuture<Void> released = whenInLine("order", "b", other::close);
		assertThat(this.service.waiting("a", () -> this.service.waiting("b", () -> "done"))).isEqualTo("done");
		released.join();
	}

	@Test
	void callForWhatOthersHoldAsWellWaitsForThem() throws Exception {
		this.service.room(() -> "done");
		Permit other = this.manager.get("room").tryAcquire().permit();
		CompletableFuture<Void> released = whenInLine("room", "", other::close);
		assertThat(this.service.room(() -> this.service.room(() -> "done"))).isEqualTo("done");
		released.join();
	}

	@Test
	void callForWhatAnOwnerHoldsWaitsAsAnybodyMayRelease() throws Exception {
		CompletableFuture<Void> released = whenInLine("order", "a", () -> this.manager.get("order").release("a", "a"));
		assertThat(this.service.owned("a", () -> this.service.waiting("a", () -> "done"))).isEqualTo("done");
		released.join();
	}

	private CompletableFuture<Void> whenInLine(String resource, String key, Runnable action) {
		return CompletableFuture.runAsync(() -> {
			await().until(() -> this.manager.find(resource)
				.filter((throttle) -> throttle.state(key).waiting() == 1)
				.isPresent());
			action.run();
		});
	}

	@Test
	void semaphoreNestsAsOftenAsItHasPermits() throws Exception {
		assertThat(this.service.room(() -> this.service.room(() -> "done"))).isEqualTo("done");
		assertRejected(() -> this.service.room(() -> this.service.room(() -> this.service.room(() -> "done"))),
				Decision.Reason.NESTED);
	}

	@Test
	void callWithTheSameOwnerEntersAgain() throws Exception {
		assertThat(this.service.owned("a", () -> this.service.owned("a", () -> "done"))).isEqualTo("done");
	}

	@Test
	void callThatReturnsAStageWaitsForTheEndOfTheOther() throws Exception {
		CompletableFuture<CompletableFuture<String>> inner = new CompletableFuture<>();
		this.service.waiting("a", () -> {
			inner.complete(this.service.later("a"));
			assertThat(inner.join()).isNotDone();
			return "done";
		});
		assertThat(inner.join()).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo("later");
	}

	@Test
	void whenTheOuterCallHasEndedThenNothingIsNested() throws Exception {
		this.service.waiting("a", () -> "done");
		Permit other = this.manager.get("order").tryAcquire("a").permit();
		assertRejected(() -> this.service.rejecting("a"), Decision.Reason.LIMIT);
		other.close();
	}

	private static void assertRejected(Callable<String> call, Decision.Reason reason) {
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(call::call)
			.satisfies((rejection) -> assertThat(rejection.reason()).isEqualTo(reason));
	}

	static class Service {

		@Mutex(value = "order", key = "#key")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		String waiting(String key, Callable<String> inner) throws Exception {
			return inner.call();
		}

		@Mutex(value = "order", key = "#key")
		String rejecting(String key) {
			return key;
		}

		@Mutex(value = "order", key = "#key")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		CompletableFuture<String> later(String key) {
			return CompletableFuture.completedFuture("later");
		}

		@Mutex(value = "order", key = "#key", owner = "#key")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		String owned(String key, Callable<String> inner) throws Exception {
			return inner.call();
		}

		@Semaphore(value = "room", limit = 2)
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		String room(Callable<String> inner) throws Exception {
			return inner.call();
		}

	}

}
