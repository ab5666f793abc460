package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.bus.ClusterBus;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Requests and publications of this node that wait for answers of nodes. */
final class OpenRequests {

	/*
	 * There is one timer, and none while nothing is open. The caller that opens a request
	 * starts it. When the timer finds no open request it stops and checks again, because
	 * a request may have been opened in the meantime.
	 *
	 * Attacked by SessionClusterTests.
	 */

	private static final int MAX_OPEN = 10_000;

	private static final int QUESTIONS_A_TIMEOUT = 4;

	private final ClusterBus bus;

	private final FrameCodec codec;

	private final NanoClock clock;

	private final Duration timeout;

	private final AtomicLong numbers = new AtomicLong();

	private final ConcurrentMap<Long, OpenRequest> open = new ConcurrentHashMap<>();

	private final LongAdder unknown = new LongAdder();

	private final AtomicBoolean watching = new AtomicBoolean();

	private volatile boolean closed;

	OpenRequests(ClusterBus bus, FrameCodec codec, NanoClock clock, Duration timeout) {
		this.bus = bus;
		this.codec = codec;
		this.clock = clock;
		this.timeout = timeout;
	}

	/** Returns a number that has not been used yet. */
	long nextNumber() {
		return this.numbers.incrementAndGet();
	}

	/**
	 * Opens a request.
	 * @param frame the frame to send to a node that has not received it
	 * @param topic the topic of a publication
	 * @return the request, which has failed already if too many are open
	 */
	OpenRequest open(long number, @Nullable String frame, @Nullable String topic) {
		OpenRequest request = new OpenRequest(number, frame, topic, now());
		if (this.open.size() >= MAX_OPEN) {
			request.fail(
					new RejectedExecutionException(MAX_OPEN + " requests to other nodes are open, which is the limit"));
			return request;
		}
		this.open.put(number, request);
		request.future().whenComplete((outcome, failure) -> {
			this.open.remove(number);
			if (outcome != null) {
				this.unknown.add(outcome.unknown());
			}
		});
		if (this.closed) {
			request.giveUp();
		}
		watch();
		return request;
	}

	int count() {
		return this.open.size();
	}

	/** Returns the number of sessions with an unknown outcome so far. */
	long unknown() {
		return this.unknown.sum();
	}

	long now() {
		return this.clock.nanoTime();
	}

	void addressed(OpenRequest request, Set<String> nodes) {
		request.addressed(nodes, now());
	}

	/** Handles the progress that a node has reported. */
	void answered(Answer answer) {
		OpenRequest request = this.open.get(answer.number());
		if (request != null) {
			request.answered(answer, now());
			if (answer.state() == Answer.State.UNHEARD && request.frame() != null && !request.future().isDone()) {
				this.bus.send(answer.node(), request.frame());
			}
		}
	}

	/** Queries all nodes that have not answered. */
	void ask() {
		Set<String> live = this.bus.nodes();
		this.open.values().forEach((request) -> {
			String question = this.codec.write(new OutcomeRequest(this.bus.node(), request.number(), request.topic()));
			request.supervise(live, now(), this.timeout.toNanos()).forEach((node) -> this.bus.send(node, question));
		});
	}

	private void watch() {
		if (!this.open.isEmpty() && this.watching.compareAndSet(false, true)) {
			this.clock.schedule(this::look, this.timeout.dividedBy(QUESTIONS_A_TIMEOUT));
		}
	}

	private void look() {
		try {
			ask();
		}
		finally {
			this.watching.set(false);
			watch();
		}
	}

	/** Abandons all open requests, and requests opened from now on. */
	void close() {
		this.closed = true;
		this.open.values().forEach(OpenRequest::giveUp);
	}

}
