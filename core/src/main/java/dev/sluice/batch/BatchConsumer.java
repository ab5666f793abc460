package dev.sluice.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

import dev.sluice.internal.Arguments;
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
 * The pump is called by an executor, for one slot in the order of the batches, for
 * different slots in parallel: a slot whose pump is slow, or never ends, holds up no
 * other. While nothing waits, nothing runs: no thread, no timer.
 * <p>
 * Nothing is lost in silence. The future that {@link #push} returns ends with the item's
 * batch, or says why the item went into none. A batch that fails may be
 * {@linkplain Builder#retry retried}, and is given to an {@linkplain Builder#errorHandler
 * error handler} if it is given up. What waits is {@linkplain Builder#maxWaiting
 * bounded}.
 * <p>
 * Methods are safe for use by many threads and never block, but for {@link #push} to a
 * full slot with {@link SlotOverflow#BLOCK}. Pushing takes no lock, and pushers of
 * different slots share nothing. The design is that of "Concurrent data structures with
 * examples in Azure Service Bus" (a multi-producer, concurrent consumer).
 *
 * @param <T> the type of the items
 * @since 0.1.0
 */
public final class BatchConsumer<T> {

	/*
	 * Each slot is seen by pushers in Slot, and by its worker in SlotTurns; start and
	 * complete only set what they want in ConsumerState and call a turn of every slot.
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
	 * Starts to build a consumer.
	 * @param <T> the type of the items
	 * @return a builder with the defaults that its methods name
	 */
	public static <T> Builder<T> builder() {
		return new Builder<>();
	}

	/**
	 * Pushes an item; it waits for its batch, and for the first {@link #start} where that
	 * is still to come. A consumer that was told to {@linkplain #complete complete} takes
	 * none until it is started again.
	 * @param item the item
	 * @param slot the slot, from 0 on
	 * @return ends when the batch of the item has: normally, or with the failure for
	 * which it was given up; fails with {@link SlotFullException} or
	 * {@link ItemDroppedException} if the item went into none, as it does at once where
	 * the consumer was told to complete. To end it from outside does not take the item
	 * out. Functions that are chained to it, but not asynchronously, run before the batch
	 * ceases to be in flight, on the thread that ends it
	 * @throws IllegalArgumentException if there is no such slot
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
	 * Starts to give batches to a pump, those of items that wait already first. A
	 * consumer that has completed can be started again, with another pump if wanted.
	 * @param pump where the batches go
	 * @throws IllegalStateException if the consumer is running, or has been told to
	 * complete and has not done so yet
	 */
	public void start(BatchPump<T> pump) {
		Objects.requireNonNull(pump, "'pump' must not be null");
		if (!this.state.begin(new Run<>(pump, this.slots.size()))) {
			throw new IllegalStateException("The consumer is running; it can start again when it has completed");
		}
		this.slots.forEach((slot) -> slot.turns.call());
	}

	/**
	 * Ends what {@link #start} began. Items pushed later are dropped, until the next
	 * start.
	 * <p>
	 * Draining gives all that waits to the pump, without waiting for batches to fill.
	 * Discarding fails the futures of what waits with {@link ItemDroppedException},
	 * {@linkplain CancellationSignal cancels} the batches that are with the pump but
	 * leaves them to end, and retries none; it may be asked for while draining goes on.
	 * Where the consumer is not running, draining has nothing to do and discarding fails
	 * what waits for a start.
	 * @param drain whether to drain or to discard
	 * @return ends when everything pushed before has ended and the consumer can start
	 * again; never exceptionally
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
			current.seal(slot.number, slot.newest().position);
			slot.turns.call();
		}
		return current.end();
	}

	/**
	 * Looks at every slot; takes time in proportion to their number.
	 * @return what they hold, and what they have done
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
	 * Builder of consumers; each {@link #build()} makes an independent one. Not safe for
	 * use by many threads.
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
		 * Sets how many slots there are. Default: 1.
		 * @param slots the number of slots; greater than 0
		 * @return this builder
		 * @throws IllegalArgumentException if {@code slots} is not greater than 0
		 */
		public Builder<T> slots(int slots) {
			this.slots = Arguments.positive("slots", slots);
			return this;
		}

		/**
		 * Sets how many items a batch has at most. Default: 100.
		 * @param items the number of items; greater than 0
		 * @return this builder
		 * @throws IllegalArgumentException if {@code items} is not greater than 0
		 */
		public Builder<T> batchSize(int items) {
			this.batchSize = Arguments.positive("batchSize", items);
			return this;
		}

		/**
		 * Sets how long an item waits for its batch to fill; then the batch goes out with
		 * what there is. Default: 1 second.
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
		 * Sets how many batches of a slot may be in flight at once, those that wait to be
		 * retried included. With 1 they never overlap, and retries keep the order.
		 * Default: 1.
		 * @param batches the number of batches; greater than 0
		 * @return this builder
		 * @throws IllegalArgumentException if {@code batches} is not greater than 0
		 */
		public Builder<T> maxConcurrency(int batches) {
			this.maxConcurrency = Arguments.positive("maxConcurrency", batches);
			return this;
		}

		/**
		 * Sets how many items of a slot may wait for a batch, those in flight not
		 * counted. Default: 100,000.
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
		 * Sets what happens to an item that finds its slot full. Default:
		 * {@link SlotOverflow#REJECT}.
		 * @param overflow what happens
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
		 * Sets whether and when a batch that failed is given to the pump again. Default:
		 * {@link RetryPolicy#none()}.
		 * @param policy decides it
		 * @return this builder
		 */
		public Builder<T> retry(RetryPolicy policy) {
			this.retryPolicy = Objects.requireNonNull(policy, "'policy' must not be null");
			return this;
		}

		/**
		 * Sets the callback for batches that are given up. Default: nobody, besides the
		 * futures of their items.
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
		 * Sets what calls the pump; never shut down by the consumer. An executor that
		 * runs its task at once lets pushers, timers and those who end stages call it. If
		 * the executor rejects, what waits in the slot fails with its exception. Default:
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
			this.clock = Objects.requireNonNull(clock, "'clock' must not be null");
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
