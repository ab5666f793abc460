package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.core.ConditionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Nodes that have limits: permits that they hold, and lines in which callers of all wait.
 */
final class LimitsUser implements RedisUser {

	private static final Duration LONG = Duration.ofDays(1);

	private static final int WAITERS = 6;

	private static final int HELD = 20;

	private final List<RedisThrottleStore> stores = new ArrayList<>();

	private final List<ThrottlingManager> nodes = new ArrayList<>();

	private final List<Integer> served = new CopyOnWriteArrayList<>();

	private final List<Integer> paced = new CopyOnWriteArrayList<>();

	private final List<CompletableFuture<Permit>> waiting = new ArrayList<>();

	private final List<Permit> held = new ArrayList<>();

	private final Duration answered;

	private Permit holder;

	private final Map<Decision.Reason, Long> decisions = new EnumMap<>(Decision.Reason.class);

	private long waiters;

	LimitsUser(RedisAccess access, int nodes, Duration timeout) {
		this.answered = timeout.plus(BUSY);
		for (int i = 0; i < nodes; i++) {
			RedisThrottleStore store = access.limits().get().timeout(timeout).build();
			ThrottlingManager node = ThrottlingManager.builder().store(store).build();
			node.addOrUpdate("rate", Limit.slidingLog(1_000_000, LONG));
			node.addOrUpdate("mutex", Limit.mutex());
			node.addOrUpdate("paced", Limit.slidingLog(1, Duration.ofMillis(500)));
			this.stores.add(store);
			this.nodes.add(node);
		}
	}

	private Throttle get(int node, String limit) {
		return this.nodes.get(node % this.nodes.size()).get(limit);
	}

	@Override
	public boolean call() {
		boolean all = true;
		for (ThrottlingManager node : this.nodes) {
			long begin = System.nanoTime();
			Decision rate = node.get("rate").tryAcquire("k");
			Decision mutex = node.get("mutex").tryAcquire("call");
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(this.answered.multipliedBy(2));
			if (mutex.admitted()) {
				mutex.permit().close();
			}
			this.decisions.merge(rate.reason(), 1L, Long::sum);
			this.decisions.merge(mutex.reason(), 1L, Long::sum);
			all &= rate.admitted() && mutex.reason() != Decision.Reason.STORE;
		}
		return all;
	}

	@Override
	public int commandsOfACall() {
		return 0;
	}

	@Override
	public boolean isUp() {
		return this.stores.stream().noneMatch((store) -> store.snapshot().unavailable());
	}

	/** Repeats calls that a busy machine has not had answered in time. */
	@Override
	public void take() {
		// a snapshot opens connections to all servers of a cluster
		get(0, "mutex").snapshot(0);
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

	@Override
	public void release() {
		this.held.forEach(Permit::close);
		this.held.clear();
	}

	@Override
	public void requireReleased(boolean forgotten) {
		this.holder.close();
		soon().untilAsserted(() -> assertThat(this.waiting).allMatch(CompletableFuture::isDone));
		if (!forgotten) {
			List<Integer> order = IntStream.range(0, WAITERS).boxed().toList();
			assertThat(this.served).isEqualTo(order);
			assertThat(this.paced).isEqualTo(order);
		}
		soon().until(() -> get(0, "mutex").snapshot(0).held() == 0);
		for (int i = 0; i < HELD; i++) {
			acquire(get(i + 1, "mutex"), "held" + i).close();
		}
		soon().until(() -> get(0, "mutex").snapshot(0).held() == 0);
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
		this.stores.forEach(RedisThrottleStore::close);
	}

}
