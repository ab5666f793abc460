package dev.sluice.aop;

import dev.sluice.annotation.Mode;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OwnedPermitsTests {

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	private final Batches batches = Proxies.limited(new Batches(), ThrottleGate.builder(this.manager).build());

	@Test
	void oneMethodAcquiresAndAnotherReleases() {
		this.batches.start("b1", false);
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> this.batches.start("b2", false));
		this.batches.complete("b1", false);
		this.batches.start("b2", false);
	}

	@Test
	void onlyTheOwnerReleases() {
		this.batches.start("b1", false);
		this.batches.complete("b2", false);
		assertThat(this.manager.get("import").state("").used()).isOne();
	}

	@Test
	void releaseByAnOwnerThatHoldsNothingIsRejectedWhereItIsAskedFor() {
		this.batches.start("b1", false);
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> this.batches.completeIfHeld("b2"))
			.withMessage("Throttled by 'import', which the owner does not hold")
			.satisfies((rejection) -> assertThat(rejection.reason()).isEqualTo(Decision.Reason.NOT_HELD));
		assertThat(this.manager.get("import").state("").used()).isOne();
		assertThat(this.batches.completeIfHeld("b1")).isEqualTo("b1");
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> this.batches.completeIfHeld("b1"));
	}

	@Test
	void amongSeveralHoldersOfASemaphoreEachMayRelease() {
		this.batches.enter("b1");
		this.batches.enter("b2");
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> this.batches.leave("b3"));
		this.batches.leave("b2");
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> this.batches.leave("b2"));
		this.batches.leave("b1");
		assertThat(this.manager.get("room").state("").used()).isZero();
	}

	@Test
	void whenTheAcquiringMethodFailsThenNothingIsHeld() {
		assertThatIllegalStateException().isThrownBy(() -> this.batches.start("b1", true));
		assertThat(this.manager.get("import").state("").used()).isZero();
	}

	@Test
	void whenTheReleasingMethodFailsThenItReleasesNevertheless() {
		this.batches.start("b1", false);
		assertThatIllegalStateException().isThrownBy(() -> this.batches.complete("b1", true));
		assertThat(this.manager.get("import").state("").used()).isZero();
	}

	@Test
	void anOwnerThatHoldsEntersAgain() {
		this.batches.start("b1", false);
		assertThat(this.batches.within("b1")).isEqualTo("b1");
		assertThat(this.manager.get("import").state("").used()).isOne();
		assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> this.batches.within("b2"));
	}

	static class Batches {

		@Mutex(value = "import", mode = Mode.RELEASE, owner = "#batch", requireHeld = true)
		String completeIfHeld(String batch) {
			return batch;
		}

		@Semaphore(value = "room", limit = 3, mode = Mode.ACQUIRE, owner = "#batch")
		void enter(String batch) {
		}

		@Semaphore(value = "room", mode = Mode.RELEASE, owner = "#batch", requireHeld = true)
		void leave(String batch) {
		}

		@Mutex(value = "import", mode = Mode.ACQUIRE, owner = "#batch")
		void start(String batch, boolean fail) {
			failIf(fail);
		}

		@Mutex(value = "import", owner = "#batch")
		String within(String batch) {
			return batch;
		}

		@Mutex(value = "import", mode = Mode.RELEASE, owner = "#batch")
		void complete(String batch, boolean fail) {
			failIf(fail);
		}

		private static void failIf(boolean fail) {
			if (fail) {
				throw new IllegalStateException("failed");
			}
		}

	}

}
