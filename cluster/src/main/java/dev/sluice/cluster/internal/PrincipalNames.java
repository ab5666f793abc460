package dev.sluice.cluster.internal;

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

import dev.sluice.bus.BusState;
import dev.sluice.bus.ClusterBus;
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
	 * Counts are the target state of the bus. Each change of a count between 0 and 1
	 * takes a turn of that name, which sends the current state to the bus; a turn that
	 * fails is repeated later. The last turn therefore sends the final state, regardless
	 * of the order in which sessions open and end.
	 *
	 * With a limit, every change does, and a place is claimed in a turn as well: the bus
	 * is sent a claim of one more than the count. The answer of the bus or the end of the
	 * wait decides a claim, whichever comes first, and counts it before deciding. The
	 * second of the two reverts its count, and the current state is sent again. If the
	 * bus does not answer, the session is admitted: the limit of the node itself still
	 * applies, and the bus is updated later.
	 *
	 * Attacked by SessionClusterTests and PrincipalPlacesTests.
	 */

	/** Prefix of the names of principals on the bus. */
	static final String PREFIX = "u:";

	private final ClusterBus bus;

	private final SequentialLeveledTaskExecutor turns;

	private final NanoClock clock;

	private final Duration retry;

	private final int most;

	private final ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();

	/** Claims do not wait for the bus, which has not answered recently. */
	private volatile boolean late;

	private volatile boolean closed;

	/**
	 * Creates the names.
	 * @param retry maximum time to wait for an answer, and time after which the bus is
	 * updated again
	 * @param most the maximum number of sessions of a principal on all nodes
	 */
	PrincipalNames(ClusterBus bus, SequentialLeveledTaskExecutor turns, NanoClock clock, Duration retry, int most) {
		this.bus = bus;
		this.turns = turns;
		this.clock = clock;
		this.retry = retry;
		this.most = most;
	}

	/** A session that opens in the meantime counts twice, until it ends. */
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

	/** Sends the numbers of sessions again, because the bus may have lost them. */
	void interrupted() {
		if (isLimited()) {
			this.counts.keySet().forEach(this::tell);
		}
	}

	/** Stops all updates of the bus. */
	void close() {
		this.closed = true;
	}

}
