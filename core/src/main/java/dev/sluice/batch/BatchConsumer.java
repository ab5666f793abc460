package dev.sluice.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

import dev.sluice.internal.Arguments;
import dev.sluice.internal.GuardedClock;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Consumer of items that many threads push, which passes them to a pump in batches. Items
 * are pushed to a <em>slot</em>; a batch holds items of one slot only, in the order of
 * their arrival, and never more than {@link Builder#batchSize(int)}. A batch goes out
 * when it is full, and a smaller one when its oldest item has waited
 * {@link Builder#pushInterval(Duration) an interval}; up to
 * {@link Builder#maxConcurrency(int)} of a slot are in flight at once.
 * <p>
 * An executor calls the pump, for one slot in the order of the batches and for different
 * slots in parallel. A slot whose pump is slow, or never ends, does not delay other
 * slots. While no item waits, the consumer uses no thread and no timer.
 * <p>
 * No item is lost silently. The future that {@link #push} returns completes with the
 * item's batch, or fails with the reason why the item is in none. A failed batch may be
 * {@linkplain Builder#retry retried}, and is passed to an
 * {@linkplain Builder#errorHandler error handler} when it is given up. The number of
 * waiting items is {@linkplain Builder#maxWaiting bounded}.
 * <p>
 * Methods are safe for use by many threads. They never block, except {@link #push} to a
 * full slot with {@link SlotOverflow#BLOCK}. Pushing takes no lock, and pushers of
 * different slots share no state. The design follows "Concurrent data structures with
 * examples in Azure Service Bus" (a multi-producer, concurrent consumer).
 *
 * @param <T> the type of the items
 * @since 0.1.0
 */
public final class BatchConsumer<T> {

	/*
	 * Slot is the side of a slot for pushers, SlotTurns the side for its worker. The
	 * methods start and complete only change ConsumerState and call a turn of every slot.
	 */

	private final ConsumerState<T> state;

	private final List<Slot<T>> slots;

	private BatchConsumer(BatchSettings<T> settings) {
		this.state = new ConsumerState<>(settings);
		List<Slot<T>> slots = new ArrayList<>(settings.slots());
		for (int number = 0; number < settings.slots(); number++) {
			slots.add(new Slot<>(this.state, number, settings));
		}
		this.slots = List.copyOf(slots);
	}

	/**
	 * Creates a builder of a consumer.
	 * @param <T> the type of the items
	 * @return a builder with the defaults documented on its methods
	 */
	public static <T> Builder<T> builder() {
		return new Builder<>();
	}

	/**
	 * Pushes an item, which waits for its batch, and for the first {@link #start} if that
	 * has not been called. After {@link #complete} a consumer accepts no items until it
	 * is started again.
	 * @param item the item
	 * @param slot the slot, from 0 on
	 * @return a future that completes with the batch of the item: normally, or with the
	 * failure for which the batch was given up. It fails with {@link SlotFullException}
	 * or {@link ItemDroppedException} if the item is in no batch, immediately if the
	 * consumer has been completed. Completing the future from outside does not remove the
	 * item. Dependent functions that are not asynchronous run on the thread that ends the
	 * batch, while the batch still counts as in flight
	 * @throws IllegalArgumentException if {@code slot} does not exist
	 */
	public CompletableFuture<@Nullable Void> push(T item, int slot) {
		Objects.requireNonNull(item, "'item' must not be null");
		if (slot < 0 || slot >= this.slots.size()) {
			throw new IllegalArgumentException(
					"'slot' must be at least 0 and less than " + this.slots.size() + ": " + slot);
		}
		Item<T> pushed = new Item<>(item);
		if (this.state.isCompleting()) {
			this.slots.get(slot).dropLate(pushed);
		}
		else {
			this.slots.get(slot).push(pushed);
		}
		return pushed;
	}

	/**
	 * Starts to pass batches to a pump, beginning with items that wait already. A
	 * consumer that has completed can be started again, also with another pump.
	 * @param pump processes the batches
	 * @throws IllegalStateException if the consumer is running or is still completing
	 */
	public void start(BatchPump<T> pump) {
		Objects.requireNonNull(pump, "'pump' must not be null");
		if (!this.state.begin(new Run<>(pump, this.slots.size()))) {
			throw new IllegalStateException("The consumer is running; it can start again when it has completed");
		}
		this.slots.forEach((slot) -> slot.turns.call());
	}

	/**
	 * Stops the consumer. Items pushed later, and items of pushers that wait for a place,
	 * are dropped until the next start.
	 * <p>
	 * Draining passes all waiting items to the pump, without waiting for batches to fill.
	 * Discarding fails the futures of waiting items with {@link ItemDroppedException},
	 * {@linkplain CancellationSignal cancels} the batches that the pump is processing
	 * without interrupting them, and does not retry any. It may be requested while the
	 * consumer drains. If the consumer is not running, draining has no effect and
	 * discarding fails the items that wait for a start.
	 * @param drain whether to drain or to discard
	 * @return a future that completes when all items pushed before have ended and the
	 * consumer can be started again; never exceptionally
	 */
	public CompletableFuture<@Nullable Void> complete(boolean drain) {
		Run<T> current = this.state.run();
		if (current == null) {
			if (!drain) {
				this.slots.forEach((slot) -> slot.turns.discard());
			}
			return CompletableFuture.completedFuture(null);
		}
		current.complete();
		if (!drain) {
			current.discard();
		}
		for (Slot<T> slot : this.slots) {
			slot.releasePushers();
			current.seal(slot.number, slot.newest().position);
			slot.turns.call();
		}
		return current.end();
	}

	/**
	 * Returns the state of all slots, in time proportional to their number.
	 * @return the waiting items and the counters
	 */
	public BatchSnapshot snapshot() {
		return new BatchSnapshot(this.state.run() != null, this.slots.stream().map(Slot::snapshot).toList(),
				this.state.callbackFailures());
	}

	@Override
	public String toString() {
		return "BatchConsumer[slots=" + this.slots.size() + ", running=" + (this.state.run() != null) + "]";
	}

	/**
	 * Builder of consumers. Each call of {@link #build()} creates an independent
	 * consumer. Not safe for use by many threads.
	 *
	 * @param <T> the type of the items
	 */
	public static final class Builder<T> {

		private int slots = 1;

		private int batchSize = 100;

		private Duration pushInterval = Duration.ofSeconds(1);

		private int maxConcurrency = 1;

		private int maxWaiting = 100_000;

		private SlotOverflow overflow = SlotOverflow.REJECT;

		private Duration maxBlock = Duration.ofSeconds(1);

		private RetryPolicy retryPolicy = RetryPolicy.none();

		private NanoClock clock = NanoClock.system();

		private @Nullable BatchErrorHandler<? super T> errorHandler;

		private final List<PumpListener> listeners = new ArrayList<>();

		private Executor executor = ForkJoinPool.commonPool();

		private Builder() {
		}

		/**
		 * Sets the number of slots. Default: 1.
		 * @param slots the number of slots; greater than 0
		 * @return this builder
		 * @throws IllegalArgumentException if {@code slots} is not greater than 0
		 */
		public Builder<T> slots(int slots) {
			this.slots = Arguments.positive("slots", slots);
			return this;
		}

		/**
		 * Sets the maximum number of items of a batch. Default: 100.
		 * @param items the number of items; greater than 0
		 * @return this builder
		 * @throws IllegalArgumentException if {@code items} is not greater than 0
		 */
		public Builder<T> batchSize(int items) {
			this.batchSize = Arguments.positive("batchSize", items);
			return this;
		}

		/**
		 * Sets how long an item waits for its batch to fill. After that time the batch is
		 * passed on although it is not full. Default: 1 second.
		 * @param interval the longest wait, apart from one for batches in flight; greater
		 * than zero
		 * @return this builder
		 * @throws IllegalArgumentException if {@code interval} is not greater than zero
		 */
		public Builder<T> pushInterval(Duration interval) {
			this.pushInterval = Arguments.positive("pushInterval", interval);
			return this;
		}

		/**
		 * Sets how many batches of a slot may be in flight at the same time, including
		 * batches that wait for a retry. With 1 they never overlap, and retries keep the
		 * order. Default: 1.
		 * @param batches the number of batches; greater than 0
		 * @return this builder
		 * @throws IllegalArgumentException if {@code batches} is not greater than 0
		 */
		public Builder<T> maxConcurrency(int batches) {
			this.maxConcurrency = Arguments.positive("maxConcurrency", batches);
			return this;
		}

		/**
		 * Sets how many items of a slot may wait for a batch, not counting those in
		 * flight. Default: 100,000.
		 * @param items the number of items; at least the batch size;
		 * {@link Integer#MAX_VALUE} is no limit
		 * @return this builder
		 * @throws IllegalArgumentException if {@code items} is not greater than 0
		 */
		public Builder<T> maxWaiting(int items) {
			this.maxWaiting = Arguments.positive("maxWaiting", items);
			return this;
		}

		/**
		 * Sets the strategy for items that are pushed to a full slot. Default:
		 * {@link SlotOverflow#REJECT}.
		 * @param overflow the strategy
		 * @return this builder
		 */
		public Builder<T> overflow(SlotOverflow overflow) {
			this.overflow = Objects.requireNonNull(overflow, "'overflow' must not be null");
			return this;
		}

		/**
		 * Sets how long a pusher waits for a place with {@link SlotOverflow#BLOCK}.
		 * Default: 1 second.
		 * @param time the longest wait; not negative
		 * @return this builder
		 * @throws IllegalArgumentException if {@code time} is negative
		 */
		public Builder<T> maxBlock(Duration time) {
			this.maxBlock = Arguments.notNegative("maxBlock", time);
			return this;
		}

		/**
		 * Sets whether and when a failed batch is passed to the pump again. Default:
		 * {@link RetryPolicy#none()}.
		 * @param policy the policy
		 * @return this builder
		 */
		public Builder<T> retry(RetryPolicy policy) {
			this.retryPolicy = Objects.requireNonNull(policy, "'policy' must not be null");
			return this;
		}

		/**
		 * Sets the callback for batches that are given up. Default: none; only the
		 * futures of their items fail.
		 * @param handler the handler
		 * @return this builder
		 */
		public Builder<T> errorHandler(BatchErrorHandler<? super T> handler) {
			this.errorHandler = Objects.requireNonNull(handler, "'handler' must not be null");
			return this;
		}

		/**
		 * Adds a listener for every call of the pump. Listeners are called in the order
		 * in which they were added. Default: none.
		 * @param listener the listener
		 * @return this builder
		 */
		public Builder<T> listener(PumpListener listener) {
			this.listeners.add(Objects.requireNonNull(listener, "'listener' must not be null"));
			return this;
		}

		/**
		 * Sets the executor that calls the pump. The consumer does not shut it down. With
		 * an executor that runs its tasks directly, the pump is called by pushers, by
		 * timers and by the threads that end stages. If the executor rejects a task, the
		 * waiting items of the slot fail with its exception. Default:
		 * {@link ForkJoinPool#commonPool()}.
		 * @param executor the executor
		 * @return this builder
		 */
		public Builder<T> executor(Executor executor) {
			this.executor = Objects.requireNonNull(executor, "'executor' must not be null");
			return this;
		}

		/**
		 * Sets the clock by which intervals and the waits before retries are measured.
		 * Default: {@link NanoClock#system()}.
		 * @param clock the clock
		 * @return this builder
		 */
		public Builder<T> clock(NanoClock clock) {
			this.clock = GuardedClock.of(Objects.requireNonNull(clock, "'clock' must not be null"));
			return this;
		}

		/**
		 * Builds the consumer.
		 * @return a new consumer, not started
		 * @throws IllegalStateException if fewer items may wait than a batch has
		 */
		public BatchConsumer<T> build() {
			if (this.maxWaiting < this.batchSize) {
				throw new IllegalStateException("'maxWaiting' must be at least 'batchSize', or no batch would fill: "
						+ this.maxWaiting + ", " + this.batchSize);
			}
			return new BatchConsumer<>(new BatchSettings<>(this.slots, this.batchSize, this.pushInterval,
					this.maxConcurrency, this.maxWaiting, this.overflow, this.maxBlock, this.retryPolicy,
					this.errorHandler, List.copyOf(this.listeners), this.executor, this.clock));
		}

	}

}
