package dev.sluice.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.execution.internal.ReadyQueues;
import dev.sluice.execution.internal.YieldPolicy;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Queues of one executor by their ids, and the settings that they share. */
final class QueueRegistry {

	/*
	 * The map holds the newest generation of each queue. A sealed generation is replaced
	 * by its successor, or removed when it ends without one; both by the two-argument
	 * methods, so a late helper changes nothing.
	 *
	 * A queue that enters the map while the executor shuts down is found by shutdown(),
	 * which sets the flag before it iterates over the map, or its creator reads the flag
	 * afterwards and seals it. Attacked by RemovalTests, CloseTests and
	 * RemoveAgainstSubmit (jcstress).
	 */

	final ReadyQueues ready;

	final YieldPolicy yielding;

	final NanoClock clock;

	final OutcomeRecorder outcomes;

	final int capacity;

	final int maxConsecutiveHigh;

	/** Whether submitters wait for a place in a full queue. */
	final boolean blocks;

	final boolean recordsWaits;

	/** Whether there are listeners; here, as it is looked at after each task. */
	final boolean notifiesListeners;

	/** Whether queues note when they were used last. */
	final boolean expiresIdle;

	private final ConcurrentHashMap<String, SequentialQueue> queues = new ConcurrentHashMap<>();

	/** Tasks that returned in queues that are gone. */
	private final LongAdder completed = new LongAdder();

	private volatile boolean shutdown;

	QueueRegistry(ExecutorSettings settings, int turns) {
		this.ready = new ReadyQueues(settings.workers(), settings.clock(), settings.maxConcurrency(), turns);
		this.yielding = new YieldPolicy(settings.maxTasksBeforeYield());
		this.clock = settings.clock();
		this.outcomes = new OutcomeRecorder(settings.clock(), settings.listeners());
		this.capacity = settings.capacity();
		this.maxConsecutiveHigh = settings.maxConsecutiveHigh();
		this.blocks = settings.overflow() == OverflowStrategy.BLOCK;
		this.recordsWaits = settings.recordsWaits();
		this.notifiesListeners = !settings.listeners().isEmpty();
		this.expiresIdle = settings.idleTime() != null;
	}

	Collection<SequentialQueue> all() {
		return this.queues.values();
	}

	int size() {
		return this.queues.size();
	}

	boolean isShutdown() {
		return this.shutdown;
	}

	/** Seals every queue, and each that comes later; returns their ends. */
	List<CompletableFuture<?>> shutdown() {
		this.shutdown = true;
		List<CompletableFuture<?>> ends = new ArrayList<>();
		for (SequentialQueue queue : this.queues.values()) {
			Seal seal = queue.seal(null);
			if (seal != null) {
				ends.add(seal);
			}
		}
		return ends;
	}

	ExecutorSnapshot snapshot(int top, long now) {
		int[] states = new int[QueueState.values().length];
		int count = 0;
		long high = 0;
		long normal = 0;
		long finished = this.completed.sum();
		Duration oldestWait = Duration.ZERO;
		PriorityQueue<QueueSnapshot> deepest = new PriorityQueue<>(Comparator.comparingInt(QueueSnapshot::waiting));
		for (SequentialQueue queue : this.queues.values()) {
			QueueSnapshot snapshot = queue.snapshot(now);
			count++;
			states[snapshot.state().ordinal()]++;
			high += snapshot.high();
			normal += snapshot.normal();
			finished += queue.completed();
			if (snapshot.oldestWait().compareTo(oldestWait) > 0) {
				oldestWait = snapshot.oldestWait();
			}
			if (snapshot.state() != QueueState.IDLE) {
				deepest.add(snapshot);
				if (deepest.size() > top) {
					deepest.remove();
				}
			}
		}
		List<QueueSnapshot> listed = new ArrayList<>(deepest);
		listed.sort(Comparator.comparingInt(QueueSnapshot::waiting).reversed());
		return new ExecutorSnapshot(count, states[QueueState.RUNNING.ordinal()], states[QueueState.PAUSED.ordinal()],
				states[QueueState.HELD.ordinal()], high, normal, oldestWait,
				Duration.ofNanos(this.ready.workerWaitNanos(now)), finished, this.outcomes.sum(TaskOutcome.FAILED),
				this.outcomes.sum(TaskOutcome.REJECTED), this.outcomes.sum(TaskOutcome.DROPPED),
				this.outcomes.sum(TaskOutcome.EXPIRED), this.outcomes.sum(TaskOutcome.CANCELLED),
				this.outcomes.listenerFailures(), listed);
	}

	// Generations

	/**
	 * Returns the newest generation of the queue, or null if the queue does not exist.
	 */
	@Nullable SequentialQueue find(String id) {
		return this.queues.get(required(id));
	}

	private static String required(String id) {
		return Objects.requireNonNull(id, "'id' must not be null");
	}

	/** Returns the newest generation of the queue, which is created if necessary. */
	SequentialQueue live(String id) {
		SequentialQueue present = this.queues.get(required(id));
		if (present != null) {
			return present;
		}
		SequentialQueue created = new SequentialQueue(this, id);
		present = this.queues.putIfAbsent(id, created);
		if (present != null) {
			return present;
		}
		if (this.shutdown) {
			created.seal(null);
		}
		return created;
	}

	/** The generation that takes the tasks which come too late for the sealed one. */
	SequentialQueue following(SequentialQueue sealed) {
		SequentialQueue next = supersede(sealed);
		if (next == null) {
			return live(sealed.id);
		}
		if (this.shutdown) {
			next.seal(null);
		}
		return next;
	}

	/** Lets the next generation take the sealed one's place; null if that has ended. */
	private @Nullable SequentialQueue supersede(SequentialQueue sealed) {
		SequentialQueue next = sealed.successor();
		if (next == null) {
			this.queues.remove(sealed.id, sealed);
		}
		else {
			replace(sealed, next);
		}
		return next;
	}

	/** Seals the newest generation, after shutdown a new one too, with an action. */
	Seal seal(String id, Runnable onDrained) {
		required(id);
		for (;;) {
			SequentialQueue queue = this.queues.computeIfAbsent(id, (absent) -> new SequentialQueue(this, absent));
			Seal seal = queue.seal(onDrained);
			if (seal != null) {
				return seal;
			}
			supersede(queue);
		}
	}

	/** Gives a sealed generation's place to the next one. */
	void replace(SequentialQueue sealed, SequentialQueue next) {
		this.queues.replace(sealed.id, sealed, next);
	}

	/**
	 * A sealed generation has ended, and the next one, if there is one, has its place.
	 */
	void ended(SequentialQueue queue) {
		this.completed.add(queue.completed());
		this.queues.remove(queue.id, queue);
	}

}
