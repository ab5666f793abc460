package dev.sluice.jdbc.fault;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.jdbc.JdbcThrottleStore;
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

/** Places in line that belong to no call of their node. */
class UnknownPlaceTests {

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final Duration LONG = Duration.ofDays(1);

	private JdbcFaultSite site;

	private JdbcThrottleStore store;

	private ThrottlingManager node;

	@BeforeEach
	void start() throws Exception {
		this.site = new JdbcFaultSite();
		this.store = this.site.store().timeout(Duration.ofSeconds(2)).lease(LEASE).build();
		this.node = ThrottlingManager.builder().store(this.store).build();
	}

	@AfterEach
	void stop() throws Exception {
		this.store.close();
		this.site.close();
	}

	/** As after a fail-over to a server that has not received their removal. */
	@Tag("full")
	@Test
	void placesThatAreBackNeitherStayNorBlockTheirLine() throws Exception {
		Throttle rate = this.node.addOrUpdate("rate", Limit.slidingLog(1, Duration.ofMillis(500)));
		rate.tryAcquire("k");
		this.site.inSchema("INSERT INTO sluice_line SELECT node, 1000000, convert_to('rate', 'UTF8'), "
				+ "convert_to('k', 'UTF8'), 'a', 1, 0, NULL, sluice_now() FROM sluice_node");
		this.site.inSchema("INSERT INTO sluice_line SELECT node, 1000001, convert_to('rate', 'UTF8'), "
				+ "convert_to('k', 'UTF8'), 'b', 1, 0, 1, NULL FROM sluice_node");

		CompletableFuture<Permit> waiter = rate.acquire("k", 1, LONG);

		waiter.get(20, TimeUnit.SECONDS);
		await().atMost(Duration.ofSeconds(20)).until(() -> this.site.rows("sluice_line") == 0);
	}

	/** A call entered late, after the node had left all lines. */
	@Test
	void placeOfAClosedNodeBlocksNoLine() throws Exception {
		Throttle rate = this.node.addOrUpdate("rate", Limit.slidingLog(1, Duration.ofMillis(500)));
		JdbcThrottleStore other = this.site.store().lease(Duration.ofHours(1)).build();
		await().until(() -> this.site.rows("sluice_node") == 2);
		other.close();
		rate.tryAcquire("k");
		this.site.inSchema("INSERT INTO sluice_line SELECT node, 1000000, convert_to('rate', 'UTF8'), "
				+ "convert_to('k', 'UTF8'), 'a', 1, 0, NULL, sluice_now() FROM sluice_node WHERE till <= sluice_now()");
		assertThat(this.site.rows("sluice_line")).isEqualTo(1);

		rate.acquire("k", 1, LONG).get(20, TimeUnit.SECONDS).close();
	}

	/** The release of its place expires before the lock ends. */
	@Tag("hostile")
	@Test
	void placeThatIsLockedForLongIsRemoved() throws Exception {
		Throttle mutex = this.node.addOrUpdate("mutex", Limit.mutex());
		mutex.tryAcquire("k");
		CompletableFuture<Permit> waiter = mutex.acquire("k", 1, LEASE);
		await().until(() -> mutex.state("k").waiting() == 1);
		this.site.lock("SELECT FROM sluice_line FOR UPDATE");
		await().atMost(Duration.ofSeconds(20)).until(waiter::isDone);
		await().pollDelay(LEASE.multipliedBy(8)).until(() -> true);
		this.site.unlock();

		await().atMost(Duration.ofSeconds(20)).until(() -> this.site.rows("sluice_line") == 0);
	}

}
