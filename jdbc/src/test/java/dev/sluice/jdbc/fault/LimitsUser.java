package dev.sluice.jdbc.fault;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import dev.sluice.jdbc.Durability;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.core.ConditionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Nodes that have limits: permits that they hold, lines in which callers of all wait, and
 * a key with a few permits.
 */
final class LimitsUser implements AutoCloseable {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration BUSY = Duration.ofSeconds(2);

	private static final int WAITERS = 6;

	private static final int HELD = 20;

	private static final int FEW = 10;

	private final List<JdbcThrottleStore> stores = new ArrayList<>();

	private final List<ThrottlingManager> nodes = new ArrayList<>();

	private final List<Integer> served = new CopyOnWriteArrayList<>();

	private final List<Integer> paced = new CopyOnWriteArrayList<>();

	private final List<CompletableFuture<Permit>> waiting = new ArrayList<>();

	private final List<Permit> held = new ArrayList<>();

	private final Map<Decision.Reason, Long> decisions = new EnumMap<>(Decision.Reason.class);

	private final Duration answered;

	private Permit holder;

	private int round;

	private int few;

	private long waiters;

	LimitsUser(JdbcFaultSite site, int nodes, Duration timeout) {
		this.answered = timeout.plus(BUSY);
		for (int i = 0; i < nodes; i++) {
			JdbcThrottleStore store = site.store().timeout(timeout).durability(Durability.FULL).build();
			ThrottlingManager node = ThrottlingManager.builder().store(store).build();
			this.stores.add(store);
			this.nodes.add(node);
			define("rate", Limit.fixedWindow(1_000_000, LONG));
			define("few", Limit.fixedWindow(FEW, LONG));
			define("mutex", Limit.mutex());
			define("paced", Limit.slidingLog(1, Duration.ofMillis(300)));
		}
	}

	private void define(String name, Limit limit) {
		ThrottlingManager node = this.nodes.get(this.nodes.size() - 1);
		soon().ignoreExceptionsInstanceOf(IllegalStateException.class)
			.until(() -> node.addOrUpdate(name, limit) != null);
	}

	private Throttle get(int node, String limit) {
		return this.nodes.get(node % this.nodes.size()).get(limit);
	}

	/** Returns whether the server has decided a call of each node. */
	boolean call() {
		boolean all = true;
		for (ThrottlingManager node : this.nodes) {
			Decision rate = decide(node, "rate", "k");
			Decision mutex = decide(node, "mutex", "call");
			if (mutex.admitted()) {
				mutex.permit().close();
			}
			all &= rate.admitted() && mutex.reason() != Decision.Reason.STORE;
			this.few += decide(node, "few", "key " + this.round).admitted() ? 1 : 0;
		}
		assertThat(this.few).as("permits of a key").isLessThanOrEqualTo(FEW);
		return all;
	}

	private Decision decide(ThrottlingManager node, String limit, String key) {
		long begin = System.nanoTime();
		Decision decision = node.get(limit).tryAcquire(key);
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).as("time of a call").isLessThan(this.answered);
		this.decisions.merge(decision.reason(), 1L, Long::sum);
		return decision;
	}

	boolean isUp() {
		return this.stores.stream().noneMatch((store) -> store.snapshot().unavailable());
	}

	/** Takes permits and places in lines; repeats what had no answer in time. */
	void take() {
		this.round++;
		this.few = 0;
		this.waiting.clear();
		this.served.clear();
		this.paced.clear();
		for (int i = 0; i < HELD; i++) {
			this.held.add(acquire(get(i, "mutex"), "held" + i));
		}
		this.holder = acquire(get(0, "mutex"), "line");
		for (int number = 0; number < WAITERS; number++) {
			enter("mutex", number, this.served);
		}
		acquire(get(0, "paced"), "line");
		for (int number = 0; number < WAITERS; number++) {
			enter("paced", number, this.paced);
		}
	}

	private static Permit acquire(Throttle throttle, String key) {
		return soon().until(() -> throttle.tryAcquire(key), Decision::admitted).permit();
	}

	private void enter(String limit, int number, List<Integer> order) {
		Throttle throttle = get(number, limit);
		long before = throttle.state("line").waiting();
		soon().until(() -> {
			CompletableFuture<Permit> call = throttle.acquire("line", 1, LONG);
			call.thenAccept((permit) -> {
				order.add(number);
				permit.close();
			});
			soon().until(() -> call.isDone() || throttle.state("line").waiting() > before);
			return !call.isCompletedExceptionally() && this.waiting.add(call);
		});
		this.waiters++;
	}

	/** Closes the permits that are held, other than that of the line. */
	void release() {
		this.held.forEach(Permit::close);
		this.held.clear();
	}

	/** Requires that lines move in their order, and that nothing stays held. */
	void requireReleased(JdbcFaultSite site) throws SQLException {
		this.holder.close();
		soon().untilAsserted(() -> assertThat(this.waiting).allMatch(CompletableFuture::isDone));
		List<Integer> order = IntStream.range(0, WAITERS).boxed().toList();
		assertThat(this.served).isEqualTo(order);
		for (int i = 0; i < this.nodes.size(); i++) {
			int node = i;
			assertThat(this.paced).filteredOn((number) -> number % this.nodes.size() == node).isSorted();
		}
		assertThat(this.paced).containsExactlyInAnyOrderElementsOf(order);
		soon().untilAsserted(() -> assertThat(site.rows("sluice_hold")).as("rows of permits").isZero());
		soon().untilAsserted(() -> assertThat(site.rows("sluice_line")).as("rows of waiters").isZero());
		assertThat(site.rows("sluice_node")).as("rows of nodes").isEqualTo(this.nodes.size());
		for (int i = 0; i < HELD; i++) {
			acquire(get(i + 1, "mutex"), "held" + i).close();
		}
	}

	private static ConditionFactory soon() {
		return await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(20));
	}

	@Override
	public String toString() {
		return this.decisions + ", " + this.waiters + " waiters";
	}

	@Override
	public void close() {
		this.stores.forEach(JdbcThrottleStore::close);
	}

}
