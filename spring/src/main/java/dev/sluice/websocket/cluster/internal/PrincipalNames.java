package dev.sluice.websocket.cluster.internal;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.sluice.cluster.BusState;
import dev.sluice.cluster.ClusterBus;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.handler.HandlerContext;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SessionAdmission;
import dev.sluice.websocket.session.SessionPlace;
import org.jspecify.annotations.Nullable;

/**
 * Registration of the principals of this node with the bus and, where they are limited,
 * of their sessions.
 */
final class PrincipalNames implements SessionAdmission.SharedPlaces {

	/*
	 * Counts say what the bus should know. Each change of one between 0 and 1 brings a
	 * turn of that name, in which the bus is told what holds then; a turn that fails is
	 * repeated later. So the last turn tells the truth, in whichever order sessions open
	 * and end.
	 *
	 * With a limit, each change does, and a place is claimed in a turn, too: the bus is
	 * asked for one more than there are. Whoever decides a claim first, the answer or the
	 * thread that has waited long enough, has counted it before; whoever comes second
	 * takes that back, and tells what holds. Without an answer there is room: the limit
	 * of the node itself holds still, and the bus is told later.
	 *
	 * Attacked by SessionClusterTests and PrincipalPlacesTests.
	 */

	/** What names of principals begin with on the bus. */
	static final String PREFIX = "u:";

	private final ClusterBus bus;

	private final SequentialLeveledTaskExecutor turns;

	private final NanoClock clock;

	private final Duration retry;

	private final int most;

	private final ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();

	/** Nobody waits for the bus, which has not answered lately. */
	private volatile boolean late;

	private volatile boolean closed;

	/**
	 * Creates the names.
	 * @param retry how long an answer may take, and after what time the bus is told again
	 * @param most how many sessions a principal may have on all nodes
	 */
	PrincipalNames(ClusterBus bus, SequentialLeveledTaskExecutor turns, NanoClock clock, Duration retry, int most) {
		this.bus = bus;
		this.turns = turns;
		this.clock = clock;
		this.retry = retry;
		this.most = most;
	}

	/** A session that opens meanwhile counts twice, until it ends. */
	void observe(HandlerContext context) {
		if (isLimited()) {
			context.admission().share(this);
		}
		else {
			context.events().observe(this::add);
		}
		context.sessions()
			.open()
			.stream()
			.filter((session) -> isLimited() || session.managed() != null)
			.forEach(this::add);
	}

	private boolean isLimited() {
		return this.most < Integer.MAX_VALUE;
	}

	/** Adds a session until it ends. */
	private void add(OrderedWebSocketSession session) {
		String name = LocalSessions.principal(session);
		if (name != null) {
			if (increment(name) == 1 || isLimited()) {
				tell(name);
			}
			session.ended().thenRun(() -> remove(name));
		}
	}

	private CompletableFuture<?> remove(String name) {
		return (decrement(name) == 0 || isLimited()) ? tell(name) : CompletableFuture.completedFuture(null);
	}

	private int increment(String name) {
		return this.counts.merge(name, 1, Integer::sum);
	}

	private int decrement(String name) {
		Integer left = this.counts.computeIfPresent(name, (key, count) -> (count > 1) ? count - 1 : null);
		return (left != null) ? left : 0;
	}

	private int count(String name) {
		return this.counts.getOrDefault(name, 0);
	}

	private CompletableFuture<?> tell(String name) {
		return inTurn(name, () -> tellNow(name)).whenComplete((nothing, failure) -> {
			if (failure != null) {
				tellLater(name);
			}
		});
	}

	private void tellLater(String name) {
		if (!this.closed) {
			this.clock.schedule(() -> tell(name), this.retry);
		}
	}

	private <T> CompletableFuture<T> inTurn(String name, Callable<? extends CompletionStage<T>> action) {
		return this.turns.submitStage("principal:" + name, Level.NORMAL, action);
	}

	private CompletionStage<?> tellNow(String name) {
		int count = count(name);
		CompletionStage<?> told = (count == 0) ? this.bus.leave(PREFIX + name)
				: this.bus.occupy(PREFIX + name, isLimited() ? count : 1, Integer.MAX_VALUE);
		return told.thenRun(() -> this.late = false);
	}

	@Override
	public SessionPlace.@Nullable Shared claim(String name) {
		CompletableFuture<Boolean> decision = claim(name, this.most);
		return decided(name, decision) ? () -> remove(name) : null;
	}

	@Override
	public CompletableFuture<SessionPlace.@Nullable Shared> claimLater(String name, boolean anyhow) {
		CompletableFuture<Boolean> decision = claim(name, anyhow ? Integer.MAX_VALUE : this.most);
		if (this.late || this.bus.state() != BusState.UP) {
			decide(name, decision, true);
		}
		Future<?> timer = this.clock.schedule(() -> {
			if (decide(name, decision, true)) {
				this.late = true;
			}
		}, this.retry);
		return decision.thenApply((room) -> {
			timer.cancel(false);
			return room ? () -> remove(name) : null;
		});
	}

	private CompletableFuture<Boolean> claim(String name, int limit) {
		CompletableFuture<Boolean> decision = new CompletableFuture<>();
		inTurn(name, () -> claimNow(name, limit, decision)).whenComplete((answered, failure) -> {
			if (failure != null) {
				this.late = true;
				decide(name, decision, true);
				tellLater(name);
			}
		});
		return decision;
	}

	private CompletionStage<?> claimNow(String name, int limit, CompletableFuture<Boolean> decision) {
		if (decision.isDone()) {
			return tellNow(name);
		}
		return this.bus.occupy(PREFIX + name, count(name) + 1, limit).thenAccept((room) -> {
			this.late = false;
			if (!decide(name, decision, room)) {
				tell(name);
			}
		});
	}

	/** Returns whether it was not decided before. */
	private boolean decide(String name, CompletableFuture<Boolean> decision, boolean room) {
		if (room) {
			increment(name);
		}
		boolean first = decision.complete(room);
		if (room && !first) {
			decrement(name);
		}
		return first;
	}

	private boolean decided(String name, CompletableFuture<Boolean> decision) {
		if (!this.late && this.bus.state() == BusState.UP) {
			try {
				return decision.get(this.retry.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				this.late = true;
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException(ex);
			}
		}
		decide(name, decision, true);
		return decision.join();
	}

	/** Tells again how many sessions there are, as the bus may not know any more. */
	void interrupted() {
		if (isLimited()) {
			this.counts.keySet().forEach(this::tell);
		}
	}

	/** Tells nothing more. */
	void close() {
		this.closed = true;
	}

}
