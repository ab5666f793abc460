package dev.sluice.websocket.cluster.internal;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.sluice.cluster.ClusterBus;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.session.OrderedWebSocketSession;

/** Tells the bus whose sessions this node has. */
final class PrincipalNames {

	/*
	 * Counts say what the bus should know. Each change of one between 0 and 1 brings a
	 * turn of that name, in which the bus is told what holds then; a turn that fails is
	 * repeated later. So the last turn tells the truth, in whichever order sessions open
	 * and end.
	 *
	 * Attacked by SessionClusterTests.
	 */

	/** What names of principals begin with on the bus. */
	static final String PREFIX = "u:";

	private final ClusterBus bus;

	private final SequentialLeveledTaskExecutor turns;

	private final NanoClock clock;

	private final Duration retry;

	private final ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();

	private volatile boolean closed;

	PrincipalNames(ClusterBus bus, SequentialLeveledTaskExecutor turns, NanoClock clock, Duration retry) {
		this.bus = bus;
		this.turns = turns;
		this.clock = clock;
		this.retry = retry;
	}

	/** Adds a session until it ends. */
	void add(OrderedWebSocketSession session) {
		String name = LocalSessions.principal(session);
		if (name != null) {
			if (this.counts.merge(name, 1, Integer::sum) == 1) {
				tell(name);
			}
			session.ended().thenRun(() -> remove(name));
		}
	}

	private void remove(String name) {
		if (this.counts.computeIfPresent(name, (key, count) -> (count > 1) ? count - 1 : null) == null) {
			tell(name);
		}
	}

	private void tell(String name) {
		this.turns.submitStage("principal:" + name, Level.NORMAL, () -> tellNow(name))
			.whenComplete((nothing, failure) -> {
				if (failure != null && !this.closed) {
					this.clock.schedule(() -> tell(name), this.retry);
				}
			});
	}

	private CompletionStage<?> tellNow(String name) {
		return this.counts.containsKey(name) ? this.bus.join(PREFIX + name) : this.bus.leave(PREFIX + name);
	}

	/** Tells nothing more. */
	void close() {
		this.closed = true;
	}

}
