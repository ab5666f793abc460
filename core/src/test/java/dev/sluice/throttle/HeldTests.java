package dev.sluice.throttle;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class HeldTests {

	private final SettableClock clock = SettableClock.at(Instant.parse("2026-11-21T04:15:00.250Z"));

	private final ThrottlingManager manager = ThrottlingManager.builder().clock(this.clock).build();

	private final Throttle mutex = this.manager.addOrUpdate("order", Limit.mutex());

	private final Throttle semaphore = this.manager.addOrUpdate("exports", Limit.semaphore(3));

	@Test
	void mutexAdmitsOneUntilItIsClosed() {
		Permit permit = this.mutex.tryAcquire("a").permit();

		Decision rejected = this.mutex.tryAcquire("a");
		assertThat(rejected.admitted()).isFalse();
		assertThat(rejected.retryAfter()).isNull();
		assertThat(this.mutex.tryAcquire("b").admitted()).isTrue();

		permit.close();
		assertThat(this.mutex.tryAcquire("a").admitted()).isTrue();
	}

	@Test
	void permitClosesOnce() {
		Permit first = this.mutex.tryAcquire().permit();
		first.close();
		Permit second = this.mutex.tryAcquire().permit();

		first.close();

		assertThat(this.mutex.tryAcquire().admitted()).isFalse();
		second.close();
		assertThat(this.mutex.tryAcquire().admitted()).isTrue();
	}

	@Test
	void semaphoreAdmitsPermitsUpToItsLimit() {
		Permit two = this.semaphore.tryAcquire("", 2).permit();
		assertThat(this.semaphore.tryAcquire("", 2).admitted()).isFalse();
		assertThat(this.semaphore.tryAcquire("", 1).admitted()).isTrue();

		two.close();

		assertThat(this.semaphore.tryAcquire("", 2).admitted()).isTrue();
	}

	@Test
	void sameOwnerEnteringAgainCountsOnceAndLeavesWithItsLast() {
		AcquireRequest request = AcquireRequest.of("order", "7").owner("batch-1");
		Permit first = this.manager.tryAcquire(request).permit();
		Permit again = this.manager.tryAcquire(request).permit();
		assertThat(this.mutex.snapshot(5).held()).isEqualTo(1);

		first.close();
		first.close();
		assertThat(this.mutex.tryAcquire("7").admitted()).isFalse();

		again.close();
		assertThat(this.mutex.tryAcquire("7").admitted()).isTrue();
	}

	@Test
	void reEntryForMorePermitsThanHeldIsRejected() {
		this.manager.tryAcquire(AcquireRequest.of("exports").owner("me").permits(1));

		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.manager.tryAcquire(AcquireRequest.of("exports").owner("me").permits(2)))
			.withMessageContaining("'permits' must be at most 1");
		assertThat(this.semaphore.tryAcquire("", 2).admitted()).isTrue();
	}

	@Test
	void ownerIsReleasedElsewhereWithAllItsEntries() {
		AcquireRequest request = AcquireRequest.of("order", "7").owner("batch-1");
		Permit first = this.manager.tryAcquire(request).permit();
		this.manager.tryAcquire(request);

		assertThat(this.mutex.release("7", "batch-1")).isTrue();

		assertThat(this.mutex.release("7", "batch-1")).isFalse();
		assertThat(this.mutex.tryAcquire("7").admitted()).isTrue();
		first.close();
		assertThat(this.mutex.tryAcquire("7").admitted()).isFalse();
	}

	@Test
	void holderIsSeenWithItsOwnerAndTime() {
		this.manager.tryAcquire(AcquireRequest.of("order", "7").owner("batch-1"));
		this.clock.advance(Duration.ofSeconds(3));
		this.mutex.tryAcquire("8");

		ThrottleSnapshot snapshot = this.mutex.snapshot(10);

		assertThat(snapshot.held()).isEqualTo(2);
		assertThat(snapshot.holders().get(0))
			.isEqualTo(new Holder("7", "batch-1", 1, Instant.parse("2026-11-21T04:15:00.250Z"), 0));
		String anonymous = snapshot.holders().get(1).owner();
		assertThat(this.mutex.release("8", anonymous)).isTrue();
		assertThat(this.mutex.state("7").oldestHolder()).map(Holder::owner).contains("batch-1");
	}

	@Test
	void anonymousCallIsReleasedByTheNameThatIsShownAndByNoOtherThatCanBeGuessed() {
		Permit permit = this.mutex.tryAcquire("7").permit();
		String name = this.mutex.state("7").oldestHolder().orElseThrow().owner();

		assertThat(this.mutex.release("7", "call-" + permit.fencingToken().orElseThrow())).isFalse();
		assertThat(this.mutex.state("7").used()).isEqualTo(1);

		assertThat(this.mutex.release("7", name)).isTrue();
		assertThat(this.mutex.state("7").used()).isZero();
	}

	@Test
	void fencingTokensGrow() {
		long last = 0;
		for (int i = 0; i < 5; i++) {
			try (Permit permit = this.mutex.tryAcquire("k" + i % 2).permit()) {
				assertThat(permit.fencingToken().getAsLong()).isGreaterThan(last);
				last = permit.fencingToken().getAsLong();
			}
		}
	}

	@Test
	void removeIsRejectedWhileHeldAndEndsTheHandleAfter() {
		Permit permit = this.mutex.tryAcquire("a").permit();

		assertThatIllegalStateException().isThrownBy(() -> this.manager.remove("order"))
			.withMessage("Throttle 'order' cannot be removed while its permits are held (at present: 1)");

		permit.close();
		assertThat(this.manager.remove("order")).isTrue();
		assertThat(this.manager.remove("order")).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> this.mutex.tryAcquire("a"));
		assertThat(this.manager.find("order")).isEmpty();
	}

	@Test
	void callThatMeetsARemovalThrowsAndKeepsNothing() throws InterruptedException {
		List<Runnable> meanwhile = new ArrayList<>();
		ThrottlingManager manager = ThrottlingManager.builder().clock(() -> {
			if (!meanwhile.isEmpty()) {
				meanwhile.remove(0).run();
			}
			return 0;
		}).build();
		Throttle first = manager.addOrUpdate("first", Limit.mutex());
		manager.addOrUpdate("removed", Limit.mutex());
		Thread removal = new Thread(() -> manager.remove("removed"));
		meanwhile.add(() -> {
			removal.start();
			await().until(() -> manager.find("removed").orElseThrow().toString().contains("removed]"));
		});

		assertThatIllegalStateException()
			.isThrownBy(() -> manager.tryAcquire(AcquireRequest.of("first"), AcquireRequest.of("removed").owner("me")));

		removal.join();
		assertThat(first.state("").used()).isZero();
		assertThat(first.tryAcquire().admitted()).isTrue();
		assertThat(manager.find("removed")).isEmpty();
	}

	@Test
	void closedTwoWaysAPermitFreesNobodyElse() {
		this.semaphore.tryAcquire();
		Permit permit = this.manager.tryAcquire(AcquireRequest.of("exports").owner("me")).permit();
		assertThat(this.semaphore.release("", "me")).isTrue();

		permit.close();

		assertThat(this.semaphore.state("").used()).isEqualTo(1);
		assertThat(this.semaphore.snapshot(0).held()).isEqualTo(1);
	}

	@Test
	void holdersLeaveInAnyOrder() {
		List<Permit> permits = Stream.generate(() -> this.semaphore.tryAcquire().permit()).limit(3).toList();
		List<String> owners = owners();
		assertThat(owners).hasSize(3).doesNotHaveDuplicates();

		permits.get(1).close();
		this.semaphore.tryAcquire();
		assertThat(owners()).hasSize(3).startsWith(owners.get(0), owners.get(2));
		assertThat(this.semaphore.release("", owners.get(2))).isTrue();
		permits.get(0).close();

		assertThat(owners()).hasSize(1).doesNotContainAnyElementsOf(owners);
		assertThat(this.semaphore.state("").used()).isEqualTo(1);
	}

	private List<String> owners() {
		return this.semaphore.snapshot(10).holders().stream().map(Holder::owner).toList();
	}

	@Test
	void stateTellsWhatIsFreeForWhoComesNext() {
		this.manager.tryAcquire(AcquireRequest.of("exports").owner("me").permits(2));
		assertThat(this.semaphore.state("").retryAfter()).isZero();
		this.semaphore.acquire("", 2, Duration.ofHours(1));

		assertThat(this.semaphore.state("").retryAfter()).isNull();
		assertThat(this.semaphore.state("").oldestHolder()).map(Holder::waiting).contains(1);
		this.manager.addOrUpdate("exports", Limit.semaphore(1));
		assertThat(this.semaphore.state("").remaining()).isZero();
	}

	@Test
	void countsOutliveTheKey() {
		Permit permit = this.mutex.tryAcquire("a").permit();
		this.mutex.tryAcquire("a");
		permit.close();

		assertThat(this.mutex.snapshot(0).keys()).isZero();
		assertThat(this.mutex.snapshot(0).admitted()).isEqualTo(1);
		assertThat(this.mutex.snapshot(0).rejected()).isEqualTo(1);
		this.manager.remove("order");
		assertThat(this.mutex.snapshot(0).held()).isZero();
	}

	@Test
	void idleKeysAreForgottenAtOnce() {
		this.mutex.tryAcquire("a").permit().close();

		assertThat(this.mutex.snapshot(1).keys()).isZero();
	}

	@Test
	void heldPermitsAreNotTakenWithoutAnObject() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.mutex.tryAcquireNanos("", 1));
	}

	@Test
	void undefinedThrottleIsReportedWithThoseDefined() {
		assertThatExceptionOfType(UnknownThrottleException.class).isThrownBy(() -> this.manager.get("ordr"))
			.withMessage("Throttle 'ordr' is not defined; defined: exports, order");
	}

}
