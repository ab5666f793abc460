package dev.sluice.jdbc.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Locked rows of some keys, which must not affect the permits of other keys. */
class LockedRowTests {

	private static final int KEYS = 8;

	private final List<Permit> held = new ArrayList<>();

	private final AtomicInteger lost = new AtomicInteger();

	private JdbcFaultSite site;

	private JdbcThrottleStore store;

	private ThrottlingManager node;

	private Throttle mutex;

	@BeforeEach
	void createSite() throws Exception {
		this.site = new JdbcFaultSite();
	}

	private void start(Duration lease) {
		this.store = this.site.store().lease(lease).build();
		this.node = ThrottlingManager.builder().store(this.store).build();
		this.mutex = this.node.addOrUpdate("mutex", Limit.mutex());
		for (int i = 0; i < KEYS; i++) {
			String key = "k" + i;
			Permit permit = await().until(() -> this.mutex.tryAcquire(key), Decision::admitted).permit();
			permit.onLost(this.lost::incrementAndGet);
			this.held.add(permit);
		}
	}

	@AfterEach
	void stop() throws Exception {
		this.store.close();
		this.site.close();
	}

	@Test
	void permitsOfOtherKeysAreRenewed() throws Exception {
		Duration lease = Duration.ofSeconds(3);
		start(lease);
		this.site.lock("SELECT FROM sluice_hold WHERE key = 'k0' FOR UPDATE");
		await().during(lease.multipliedBy(3).dividedBy(2))
			.atMost(lease.multipliedBy(4))
			.until(() -> this.lost.get() <= 1);
		this.site.unlock();

		for (int i = 1; i < KEYS; i++) {
			assertThat(this.mutex.tryAcquire("k" + i).admitted()).as("k" + i).isFalse();
		}
		await().untilAsserted(() -> assertThat(this.mutex.tryAcquire("k0").admitted()).isTrue());
		assertThat(this.lost).hasValue(1);
	}

	@Tag("hostile")
	@Test
	void permitsAreRenewedAndGrantedAheadOfCallsForLockedKeys() throws Exception {
		Duration lease = Duration.ofSeconds(6);
		start(lease);
		Throttle rate = this.node.addOrUpdate("rate", Limit.fixedWindow(1_000_000, Duration.ofDays(1)));
		for (int i = 0; i < KEYS; i++) {
			rate.tryAcquire("k" + i);
		}
		CompletableFuture<Permit> waiter = this.mutex.acquire("k0", 1, Duration.ofMinutes(1));
		await().until(() -> this.mutex.state("k0").waiting() == 1);
		this.site.lock("SELECT FROM sluice_rate FOR UPDATE");
		List<CompletableFuture<Permit>> calls = new ArrayList<>();
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < 2 * lease.toNanos()) {
			calls.removeIf(CompletableFuture::isDone);
			for (int i = 0; calls.size() < KEYS; i++) {
				calls.add(rate.acquire("k" + i, 1, Duration.ofMillis(1)));
			}
			await().pollInterval(Duration.ofMillis(5)).until(() -> calls.stream().anyMatch(CompletableFuture::isDone));
		}
		assertThat(this.lost).hasValue(0);
		this.held.get(0).close();
		await().atMost(lease).until(waiter::isDone);
		this.site.unlock();
		assertThat(waiter).isCompleted();
	}

}
