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
 * Permits that this node takes of one key of a rate limit: for several callers at once,
 * and for calls to come.
 */
final class PermitPrefetch {

	/*
	 * One question is under way at a time. It asks for those who wait by then, first
	 * come, first served, as far as all want the same number of permits: whoever comes
	 * meanwhile waits for the next; or, where answers take so long that two would be too
	 * late, has a question alone. With a batch of 1 that is all, and the whole lasts as
	 * long as there are questions.
	 *
	 * With a larger one, what was taken ahead is the "lot": its permits go to callers one
	 * compare-and-set each, or what is left goes back, once; so each is used or given
	 * back, never both. There is one lot at a time, of less than a batch, and the one
	 * before it is closed before it can be seen: so a node never has as much as a batch
	 * to use. A lot ends after a moment, or with the bucket it is counted in, by this
	 * node's clock since it was asked for, which is before it was granted.
	 *
	 * Nothing is taken ahead at first, then twice as much as the last time and one more,
	 * while questions follow each other closely. A lot that ends with something left
	 * makes the next one as small as what was used of it.
	 *
	 * An alarm goes off for as long as there was a question of late; it ends the lot, and
	 * lets the whole go when nothing happens any more. Who has it still is told so.
	 *
	 * Attacked by PermitPrefetchTests.
	 */

	/** How long a permit is kept at most: this, or a tenth of a period that is short. */
	private static final long KEEP = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int SHARE_OF_PERIOD = 10;

	private static final long LIMIT = 1;

	private static final long LINE = 2;

	private final RateRequests requests;

	private final String key;

	private final Map<String, PermitPrefetch> inUse;

	private volatile Lot lot = Lot.NONE;

	/** Who waits and was not asked for yet; guarded, as all that follows. */
	private final Deque<Call> calls = new ArrayDeque<>();

	private boolean asking;

	private int ahead;

	private long askedAt = System.nanoTime() - KEEP;

	private boolean watched;

	private boolean gone;

	/**
	 * Prepares to take permits, and takes none.
	 * @param requests of the rate limit
	 * @param key the key
	 * @param inUse those of all keys, which this one leaves when nothing happens any more
	 */
	PermitPrefetch(RateRequests requests, String key, Map<String, PermitPrefetch> inUse) {
		this.requests = requests;
		this.key = key;
		this.inUse = inUse;
	}

	/** Takes permits that were taken ahead: the answer is that of the script, or none. */
	@Nullable List<Object> takeInHand(int permits) {
		Lot lot = this.lot;
		return lot.take(permits) ? lot.answer : null;
	}

	/**
	 * Takes permits, asking Redis for all who do so meanwhile.
	 * @param permits how many
	 * @return what the script will answer to one who takes them, or {@code null} if this
	 * is not the batch of its key any more
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

	/** Asks for those who are first. */
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
	 * Ends this if a question was the only caller's, and nothing is taken ahead. It has
	 * ended before the caller is told, who may call again at once and then need not wait
	 * for that.
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

	/** Serves those who have come meanwhile, or asks for them. */
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

	/** Fails those who have come meanwhile, too, as Redis is unavailable. */
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

	/** Gives back what was taken for calls to come. */
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

	/** Call that waits. */
	private static final class Call extends CompletableFuture<List<Object>> {

		final int permits;

		Call(int permits) {
			this.permits = permits;
		}

	}

	/**
	 * Question to Redis.
	 *
	 * @param calls for which permits are taken, first come, first served
	 * @param permits how many each of them wants
	 * @param ahead how many more
	 * @param limit by what terms
	 * @param askedAt when
	 */
	private record Question(List<Call> calls, int permits, int ahead, Limit limit, long askedAt) {

		/** Returns how many permits it may be granted. */
		int asked() {
			return this.permits * this.calls.size() + this.ahead;
		}

		/** Returns whether all calls are served, and nothing was taken ahead. */
		static boolean allAreServed(List<Object> reply) {
			return reply.size() == 2;
		}

		/** Returns what the script would have answered to a call alone. */
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

		/** Returns for how many nanoseconds a permit may be kept that was asked for. */
		long usableFor(long micros) {
			Duration period = Objects.requireNonNull(this.limit.period());
			long keep = Math.min(KEEP, period.toNanos() / SHARE_OF_PERIOD);
			return (micros < 0) ? keep : Math.min(keep, TimeUnit.MICROSECONDS.toNanos(micros));
		}

	}

	/** Permits that were taken ahead. */
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

		/** Takes permits, unless there are too few or their time is over. */
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

		/** Ends it; returns what was left, to who ends it first. */
		int close() {
			return this.left.getAndSet(0);
		}

		boolean isEmpty() {
			return this.left.get() == 0;
		}

	}

}
