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
 * Combines the permit requests of this node for one key of a rate limit, and prefetches
 * permits for later calls.
 */
final class PermitPrefetch {

	/*
	 * One request is in flight at a time. It covers the calls that wait when it is sent,
	 * first come, first served, up to the first call with a different number of permits.
	 * A later call waits for the next request. If Redis is so slow that two round trips
	 * would exceed the timeout, the later call sends a request of its own. With a batch
	 * of 1 nothing is prefetched, and the instance is discarded after its last request.
	 *
	 * With a larger batch, the prefetched permits form a "lot". Each call takes its
	 * permits by one compare-and-set, and closing the lot returns the remaining permits
	 * once, so a permit is either used or returned, never both. There is one lot at a
	 * time, of fewer permits than the batch, and the previous lot is closed before the
	 * next is published: a node never has a whole batch available. A lot expires after
	 * KEEP, or with the bucket that counts it. The time is measured by this node's clock
	 * from the request, which precedes the grant.
	 *
	 * The first request prefetches nothing. While requests follow each other within KEEP,
	 * each prefetches twice as many permits as the one before, plus one. A lot that ends
	 * with permits left limits the next one to the number that was used.
	 *
	 * A timer task repeats while requests are recent. It closes an expired lot, and
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

	private volatile Lot lot = Lot.NONE;

	/** Waiting calls without a request; guarded by this, as are the fields below. */
	private final Deque<Call> calls = new ArrayDeque<>();

	private boolean asking;

	private int ahead;

	private long askedAt = System.nanoTime() - KEEP;

	private boolean watched;

	private boolean gone;

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
	@Nullable List<Object> takeInHand(int permits) {
		Lot lot = this.lot;
		return lot.take(permits) ? lot.answer : null;
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
			if (this.gone) {
				return null;
			}
			if (this.asking && this.requests.node().commands().isFar()) {
				return askAlone(permits);
			}
			this.calls.add(call);
			if (this.asking) {
				return call;
			}
			this.asking = true;
		}
		ask();
		return call;
	}

	private CompletableFuture<List<Object>> askAlone(int permits) {
		Question question = new Question(List.of(new Call(permits)), permits, 0, this.requests.limit(),
				System.nanoTime());
		return this.requests.call("take", this.key, question.asked(), question.arguments())
			.thenApply((reply) -> question.answerOf(0, reply));
	}

	/** Sends a request for the first waiting calls. */
	private void ask() {
		Question question = nextQuestion();
		CompletableFuture<List<Object>> asked = this.requests.call("take", this.key, question.asked(),
				question.arguments());
		asked.whenComplete((reply, failure) -> {
			if (failure == null) {
				answered(question, reply);
			}
			else {
				failed(question, failure);
			}
		});
	}

	private synchronized Question nextQuestion() {
		long now = System.nanoTime();
		int most = this.requests.batch() - 1;
		this.ahead = Math.min(most, (now - this.askedAt < KEEP) ? 2 * this.ahead + 1 : this.ahead);
		this.askedAt = now;
		int permits = this.calls.element().permits;
		List<Call> first = new ArrayList<>();
		while (!this.calls.isEmpty() && this.calls.element().permits == permits) {
			first.add(this.calls.remove());
		}
		return new Question(first, permits, this.ahead, this.requests.limit(), now);
	}

	private void answered(Question question, List<Object> reply) {
		if (endsWith(question)) {
			question.calls.get(0).complete(question.answerOf(0, reply));
			return;
		}
		long takenAt = (long) reply.get(1);
		for (int i = 0; i < question.calls.size(); i++) {
			question.calls.get(i).complete(question.answerOf(i, reply));
		}
		int ahead = Question.allAreServed(reply) ? 0 : ((Long) reply.get(4)).intValue();
		if (ahead > 0) {
			Lot taken = new Lot(ahead, takenAt, question.askedAt + question.usableFor((long) reply.get(5)));
			if (question.limit == this.requests.limit()) {
				replaceLot(taken);
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
	private boolean endsWith(Question question) {
		synchronized (this) {
			if (question.calls.size() > 1 || question.ahead > 0 || !this.calls.isEmpty() || this.watched
					|| this.requests.batch() > 1) {
				return false;
			}
			this.asking = false;
			this.gone = true;
		}
		letGo();
		return true;
	}

	private void replaceLot(Lot by) {
		end(this.lot);
		this.lot = by;
	}

	/** Serves calls that arrived during the request, or sends a request for them. */
	private void proceed() {
		Lot lot = this.lot;
		List<Call> served = new ArrayList<>();
		boolean again;
		boolean watches;
		synchronized (this) {
			while (!this.calls.isEmpty() && lot.take(this.calls.element().permits)) {
				served.add(this.calls.remove());
			}
			again = !this.calls.isEmpty();
			this.asking = again;
			watches = !again && !this.watched && this.requests.batch() > 1;
			this.watched |= watches;
			this.gone = !again && !this.watched;
		}
		served.forEach((call) -> call.complete(lot.answer));
		if (again) {
			ask();
			return;
		}
		if (watches) {
			watch(KEEP);
		}
		letGo();
	}

	/** Fails the calls of the request and those that arrived during it. */
	private void failed(Question question, Throwable failure) {
		List<Call> failed = new ArrayList<>(question.calls);
		synchronized (this) {
			failed.addAll(this.calls);
			this.calls.clear();
			this.asking = false;
			this.gone = !this.watched;
		}
		letGo();
		failed.forEach((call) -> call.completeExceptionally(failure));
	}

	/** Returns the prefetched permits. */
	void giveBack() {
		end(this.lot);
	}

	private void end(Lot lot) {
		int left = lot.close();
		if (left > 0) {
			synchronized (this) {
				this.ahead = Math.min(this.ahead, lot.size - left);
			}
			this.requests.giveBack(this.key, left, lot.takenAt);
		}
	}

	private void watch(long nanos) {
		this.requests.node().timer().schedule(this::expire, nanos, TimeUnit.NANOSECONDS);
	}

	private void expire() {
		Lot lot = this.lot;
		long now = System.nanoTime();
		if (lot.until - now <= 0) {
			end(lot);
		}
		synchronized (this) {
			this.gone = !this.asking && now - this.askedAt >= KEEP && this.lot.isEmpty();
			if (!this.gone) {
				watch(this.lot.isEmpty() ? KEEP : Math.max(1, this.lot.until - now));
			}
		}
		letGo();
	}

	private synchronized void letGo() {
		if (this.gone) {
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
	 * @param askedAt the time of the request, by this node's clock
	 */
	private record Question(List<Call> calls, int permits, int ahead, Limit limit, long askedAt) {

		/** Returns the maximum number of permits of this request. */
		int asked() {
			return this.permits * this.calls.size() + this.ahead;
		}

		/** Returns whether all calls are served and nothing is prefetched. */
		static boolean allAreServed(List<Object> reply) {
			return reply.size() == 2;
		}

		/** Returns the reply that the script would give to a single call. */
		List<Object> answerOf(int call, List<Object> reply) {
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
	static final class Lot {

		static final Lot NONE = new Lot(0, 0, 0);

		final int size;

		final long takenAt;

		final long until;

		final List<Object> answer;

		private final AtomicInteger left;

		Lot(int size, long takenAt, long until) {
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
		 * Closes the lot; the first call returns the number of permits left, later ones
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
