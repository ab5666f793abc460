package dev.sluice.redis;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.throttle.Limit;
import org.jspecify.annotations.Nullable;

/**
 * What this node takes of one key of a rate: for several callers at once, and for calls
 * to come.
 */
final class Batch {

	/*
	 * What was taken ahead is the "lot": its permits go to callers one compare-and-set
	 * each, or what is left goes back, once; so each is used or given back, never both.
	 * There is one lot at a time, of less than a batch, and the one before it is closed
	 * before it can be seen: so a node never has as much as a batch to use. A lot ends
	 * after a moment, or with the bucket it is counted in, by this node's clock since it
	 * was asked for, which is before it was granted.
	 *
	 * A call that finds too little waits. One question is under way at a time; it asks
	 * for all who wait by then, first come, first served, and some ahead: nothing at
	 * first, then twice as much as the last time and one more, while questions follow
	 * each other closely. A lot that ends with something left makes the next one as small
	 * as what was used of it.
	 *
	 * An alarm goes off for as long as there was a question of late; it ends the lot, and
	 * lets the whole go when nothing happens any more. Who has it still is told so.
	 *
	 * Attacked by RedisBatchTests.
	 */

	/** How long a permit is kept at most: this, or a tenth of a period that is short. */
	private static final long KEEP = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int SHARE_OF_PERIOD = 10;

	private static final int LIMIT = 1;

	private static final int LINE = 2;

	private final RedisRate rate;

	private final String key;

	private volatile Lot lot = Lot.NONE;

	/** Who waits and was not asked for yet; guarded, as all that follows. */
	private final Deque<Call> calls = new ArrayDeque<>();

	private boolean asking;

	private int ahead;

	private long askedAt = System.nanoTime() - KEEP;

	private boolean watched;

	private boolean gone;

	Batch(RedisRate rate, String key) {
		this.rate = rate;
		this.key = key;
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
			this.calls.add(call);
			if (this.asking) {
				return call;
			}
			this.asking = true;
		}
		ask();
		return call;
	}

	/** Asks for all who wait. */
	private void ask() {
		Question question = nextQuestion();
		CompletableFuture<List<Object>> asked = this.rate.ask("batch", this.key, question.arguments());
		this.rate.node.link().inTime(asked).whenComplete((reply, failure) -> {
			if (failure == null) {
				answered(question, reply);
			}
			else {
				asked.thenAccept((late) -> this.rate.giveBack(this.key, granted(late), takenAt(late)));
				failed(question, failure);
			}
		});
	}

	private synchronized Question nextQuestion() {
		long now = System.nanoTime();
		int most = this.rate.batch() - 1;
		this.ahead = Math.min(most, (now - this.askedAt < KEEP) ? 2 * this.ahead + 1 : this.ahead);
		this.askedAt = now;
		List<Call> all = List.copyOf(this.calls);
		this.calls.clear();
		return new Question(all, this.ahead, this.rate.limit(), now);
	}

	private static long takenAt(List<Object> reply) {
		return (long) reply.get(1);
	}

	private static int granted(List<Object> reply) {
		return ((Long) reply.get(2)).intValue();
	}

	private void answered(Question question, List<Object> reply) {
		int left = granted(reply);
		List<Object> admission = List.of(0L, takenAt(reply));
		for (Call call : question.calls) {
			if (call.permits <= left) {
				left -= call.permits;
				call.complete(admission);
			}
			else {
				call.complete(List.of((RedisThrottle.code(reply) == LINE) ? (long) LINE : LIMIT,
						question.waitOf(call, reply)));
			}
		}
		if (granted(reply) > question.needed() && question.limit == this.rate.limit()) {
			replaceLot(new Lot(left, takenAt(reply), question.askedAt + question.usableFor((long) reply.get(3))));
		}
		else if (left > 0) {
			this.rate.giveBack(this.key, left, takenAt(reply));
		}
		goOn();
	}

	private void replaceLot(Lot by) {
		end(this.lot);
		this.lot = by;
	}

	/** Serves those who have come meanwhile, or asks for them. */
	private void goOn() {
		Lot lot = this.lot;
		List<Call> served = new ArrayList<>();
		boolean again;
		boolean unwatched;
		synchronized (this) {
			while (!this.calls.isEmpty() && lot.take(this.calls.element().permits)) {
				served.add(this.calls.remove());
			}
			again = !this.calls.isEmpty();
			this.asking = again;
			unwatched = !this.watched;
			this.watched = true;
		}
		served.forEach((call) -> call.complete(lot.answer));
		if (again) {
			ask();
		}
		if (unwatched) {
			watch(KEEP);
		}
	}

	/** Fails those who have come meanwhile, too, as Redis is away. */
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
			this.rate.giveBack(this.key, left, lot.takenAt);
		}
	}

	private void watch(long nanos) {
		this.rate.node.timer().schedule(this::look, nanos, TimeUnit.NANOSECONDS);
	}

	private void look() {
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
			this.rate.forgetBatch(this.key, this);
		}
	}

	/** A call that waits. */
	private static final class Call extends CompletableFuture<List<Object>> {

		final int permits;

		Call(int permits) {
			this.permits = permits;
		}

	}

	/**
	 * What Redis is asked for.
	 *
	 * @param calls for whom, first come, first served
	 * @param ahead how many more
	 * @param limit by what terms
	 * @param askedAt when
	 */
	private record Question(List<Call> calls, int ahead, Limit limit, long askedAt) {

		int needed() {
			long needed = this.calls.stream().mapToLong((call) -> call.permits).sum();
			return (int) Math.min(needed, Integer.MAX_VALUE);
		}

		String[] arguments() {
			List<String> arguments = new ArrayList<>();
			arguments.add(Integer.toString(needed()));
			arguments.add(Integer.toString(this.ahead));
			sizes().forEach((size) -> arguments.add(size.toString()));
			return arguments.toArray(new String[0]);
		}

		private List<Integer> sizes() {
			return this.calls.stream().map((call) -> call.permits).distinct().toList();
		}

		/** Returns the microseconds that a call would have to wait. */
		long waitOf(Call call, List<Object> reply) {
			return (long) reply.get(4 + sizes().indexOf(call.permits));
		}

		/**
		 * Returns for how many nanoseconds a permit may be kept that was asked for now.
		 */
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
