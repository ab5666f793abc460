package dev.sluice.redis.rate;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.redis.throttle.RedisThrottle;
import dev.sluice.throttle.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Combined permit requests of this node for one key of a rate limit, with permits that
 * are prefetched for later calls.
 */
final class PermitPrefetch {

	/*
	 * One request is in flight at a time. It covers the calls that wait when it is sent,
	 * first come, first served, up to the first call with a different number of permits.
	 * A later call waits for the next request. If Redis is so slow that two round trips
	 * would exceed the timeout, the later call sends a request of its own. With a batch
	 * of 1 nothing is prefetched, and the instance is discarded after its last request.
	 *
	 * With a larger batch, a request may return prefetched permits, a PermitBatch. Each
	 * call takes its permits by one compare-and-set, and closing the PermitBatch returns
	 * the remaining permits once, so a permit is either used or returned, never both.
	 * There is one PermitBatch at a time, of fewer permits than the batch of the limit,
	 * and the previous one is closed before the next is published: a node never has a
	 * whole batch available. It expires after KEEP, or with the bucket that counts it.
	 * The time is measured by this node's clock from the request, which precedes the
	 * grant.
	 *
	 * The first request prefetches nothing. While requests follow each other within KEEP,
	 * each prefetches twice as many permits as the one before, plus one. A PermitBatch
	 * that ends with permits left limits the next one to the number that was used.
	 *
	 * A timer task repeats while requests are recent. It closes expired permits, and
	 * discards the instance when it is unused. A caller that still holds a discarded
	 * instance gets null from take(int).
	 *
	 * Attacked by PermitPrefetchTests.
	 */

	/** Maximum time to keep a permit; a tenth of the period if that is shorter. */
	private static final long KEEP = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int SHARE_OF_PERIOD = 10;

	private static final long LIMIT = 1;

	private static final long LINE = 2;

	private final RateRequests requests;

	private final String key;

	private final Map<String, PermitPrefetch> inUse;

	private volatile PermitBatch prefetched = PermitBatch.NONE;

	/** Waiting calls without a request; guarded by this, as are the fields below. */
	private final Deque<Call> calls = new ArrayDeque<>();

	private boolean inFlight;

	private int ahead;

	private long sentAt = System.nanoTime() - KEEP;

	private boolean watched;

	private boolean discarded;

	/**
	 * Creates an instance without prefetched permits.
	 * @param requests the requests of the rate limit
	 * @param key the key
	 * @param inUse the instances of all keys; this one is removed when it is unused
	 */
	PermitPrefetch(RateRequests requests, String key, Map<String, PermitPrefetch> inUse) {
		this.requests = requests;
		this.key = key;
		this.inUse = inUse;
	}

	/** Takes prefetched permits; returns the reply of the script, or null if too few. */
	@Nullable List<Object> takePrefetched(int permits) {
		PermitBatch prefetched = this.prefetched;
		return prefetched.take(permits) ? prefetched.answer : null;
	}

	/**
	 * Takes permits, in one request with concurrent calls of the same key.
	 * @param permits the number of permits
	 * @return the reply of the script to this call, or {@code null} if this instance is
	 * discarded
	 */
	@Nullable CompletableFuture<List<Object>> take(int permits) {
		Call call = new Call(permits);
		synchronized (this) {
			if (this.discarded) {
				return null;
			}
			if (this.inFlight && this.requests.node().commands().isFar()) {
				return sendAlone(permits);
			}
			this.calls.add(call);
			if (this.inFlight) {
				return call;
			}
			this.inFlight = true;
		}
		send();
		return call;
	}

	private CompletableFuture<List<Object>> sendAlone(int permits) {
		BatchRequest request = new BatchRequest(List.of(new Call(permits)), permits, 0, this.requests.limit(),
				System.nanoTime());
		return this.requests.call("take", this.key, request.maxPermits(), request.arguments())
			.thenApply((reply) -> request.replyTo(0, reply));
	}

	/** Sends a request for the first waiting calls. */
	private void send() {
		BatchRequest request = nextRequest();
		CompletableFuture<List<Object>> sent = this.requests.call("take", this.key, request.maxPermits(),
				request.arguments());
		sent.whenComplete((reply, failure) -> {
			if (failure != null) {
				failed(request, failure);
				return;
			}
			try {
				answered(request, reply);
			}
			catch (RuntimeException ex) {
				failed(request, ex); // a reply of another format
			}
		});
	}

	private synchronized BatchRequest nextRequest() {
		long now = System.nanoTime();
		int max = this.requests.batch() - 1;
		this.ahead = Math.min(max, (now - this.sentAt < KEEP) ? 2 * this.ahead + 1 : this.ahead);
		this.sentAt = now;
		int permits = this.calls.element().permits;
		List<Call> first = new ArrayList<>();
		while (!this.calls.isEmpty() && this.calls.element().permits == permits) {
			first.add(this.calls.remove());
		}
		return new BatchRequest(first, permits, this.ahead, this.requests.limit(), now);
	}

	private void answered(BatchRequest request, List<Object> reply) {
		if (discardAfter(request)) {
			request.calls.get(0).complete(request.replyTo(0, reply));
			return;
		}
		long takenAt = (long) reply.get(1);
		for (int i = 0; i < request.calls.size(); i++) {
			request.calls.get(i).complete(request.replyTo(i, reply));
		}
		int ahead = BatchRequest.allAreServed(reply) ? 0 : ((Long) reply.get(4)).intValue();
		if (ahead > 0) {
			PermitBatch taken = new PermitBatch(ahead, takenAt,
					request.sentAt + request.usableFor((long) reply.get(5)));
			if (request.limit == this.requests.limit()) {
				replacePrefetched(taken);
			}
			else {
				end(taken);
			}
		}
		proceed();
	}

	/**
	 * Discards this instance if the request was for a single call and nothing is
	 * prefetched. That precedes the completion of the call, so a caller that calls again
	 * at once does not wait for it.
	 */
	private boolean discardAfter(BatchRequest request) {
		synchronized (this) {
			if (request.calls.size() > 1 || request.ahead > 0 || !this.calls.isEmpty() || this.watched
					|| this.requests.batch() > 1) {
				return false;
			}
			this.inFlight = false;
			this.discarded = true;
		}
		removeIfDiscarded();
		return true;
	}

	private void replacePrefetched(PermitBatch by) {
		end(this.prefetched);
		this.prefetched = by;
	}

	/** Serves calls that arrived during the request, or sends a request for them. */
	private void proceed() {
		PermitBatch prefetched = this.prefetched;
		List<Call> served = new ArrayList<>();
		boolean again;
		boolean watches;
		synchronized (this) {
			while (!this.calls.isEmpty() && prefetched.take(this.calls.element().permits)) {
				served.add(this.calls.remove());
			}
			again = !this.calls.isEmpty();
			this.inFlight = again;
			watches = !again && !this.watched && this.requests.batch() > 1;
			this.watched |= watches;
			this.discarded = !again && !this.watched;
		}
		served.forEach((call) -> call.complete(prefetched.answer));
		if (again) {
			send();
			return;
		}
		if (watches) {
			watch(KEEP);
		}
		removeIfDiscarded();
	}

	/** Fails the calls of the request and the calls that arrived during it. */
	private void failed(BatchRequest request, Throwable failure) {
		List<Call> failed = new ArrayList<>(request.calls);
		synchronized (this) {
			failed.addAll(this.calls);
			this.calls.clear();
			this.inFlight = false;
			this.discarded = !this.watched;
		}
		removeIfDiscarded();
		failed.forEach((call) -> call.completeExceptionally(failure));
	}

	/** Returns the prefetched permits. */
	void releasePrefetched() {
		end(this.prefetched);
	}

	private void end(PermitBatch prefetched) {
		int left = prefetched.close();
		if (left > 0) {
			synchronized (this) {
				this.ahead = Math.min(this.ahead, prefetched.size - left);
			}
			this.requests.returnPermits(this.key, left, prefetched.takenAt);
		}
	}

	private void watch(long nanos) {
		this.requests.node().timer().schedule(this::expire, nanos, TimeUnit.NANOSECONDS);
	}

	private void expire() {
		PermitBatch prefetched = this.prefetched;
		long now = System.nanoTime();
		if (prefetched.until - now <= 0) {
			end(prefetched);
		}
		synchronized (this) {
			this.discarded = !this.inFlight && now - this.sentAt >= KEEP && this.prefetched.isEmpty();
			if (!this.discarded) {
				watch(this.prefetched.isEmpty() ? KEEP : Math.max(1, this.prefetched.until - now));
			}
		}
		removeIfDiscarded();
	}

	private synchronized void removeIfDiscarded() {
		if (this.discarded) {
			this.inUse.remove(this.key, this);
		}
	}

	/** Waiting call. */
	private static final class Call extends CompletableFuture<List<Object>> {

		final int permits;

		Call(int permits) {
			this.permits = permits;
		}

	}

	/**
	 * Request for permits.
	 *
	 * @param calls the calls to serve, first come, first served
	 * @param permits the number of permits of each call
	 * @param ahead the number of permits to prefetch
	 * @param limit the limit at the time of the request
	 * @param sentAt the time of the request, by this node's clock
	 */
	private record BatchRequest(List<Call> calls, int permits, int ahead, Limit limit, long sentAt) {

		/** Returns the maximum number of permits of this request. */
		int maxPermits() {
			return this.permits * this.calls.size() + this.ahead;
		}

		/** Returns whether all calls are served and nothing is prefetched. */
		static boolean allAreServed(List<Object> reply) {
			return reply.size() == 2;
		}

		/** Returns the reply that the script would give to a single call. */
		List<Object> replyTo(int call, List<Object> reply) {
			if (allAreServed(reply) || call < (long) reply.get(2)) {
				return List.of(0L, reply.get(1));
			}
			return List.of((RedisThrottle.code(reply) == LINE) ? LINE : LIMIT, reply.get(3));
		}

		String[] arguments() {
			return new String[] { Integer.toString(this.permits), Integer.toString(this.calls.size()),
					Integer.toString(this.ahead) };
		}

		/** Returns the maximum time in nanoseconds to keep a prefetched permit. */
		long usableFor(long micros) {
			Duration period = Objects.requireNonNull(this.limit.period());
			long keep = Math.min(KEEP, period.toNanos() / SHARE_OF_PERIOD);
			return (micros < 0) ? keep : Math.min(keep, TimeUnit.MICROSECONDS.toNanos(micros));
		}

	}

	/** Prefetched permits. */
	static final class PermitBatch {

		static final PermitBatch NONE = new PermitBatch(0, 0, 0);

		final int size;

		final long takenAt;

		final long until;

		final List<Object> answer;

		private final AtomicInteger left;

		PermitBatch(int size, long takenAt, long until) {
			this.size = size;
			this.takenAt = takenAt;
			this.until = until;
			this.answer = List.of(0L, takenAt);
			this.left = new AtomicInteger(size);
		}

		/** Takes permits, unless there are too few or they have expired. */
		boolean take(int permits) {
			int left = this.left.get();
			while (left >= permits && System.nanoTime() - this.until < 0) {
				if (this.left.compareAndSet(left, left - permits)) {
					return true;
				}
				left = this.left.get();
			}
			return false;
		}

		/**
		 * Closes the batch; the first call returns the number of permits left, later ones
		 * 0.
		 */
		int close() {
			return this.left.getAndSet(0);
		}

		boolean isEmpty() {
			return this.left.get() == 0;
		}

	}

}
