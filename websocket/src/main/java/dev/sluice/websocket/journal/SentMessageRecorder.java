package dev.sluice.websocket.journal;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import dev.sluice.batch.BatchConsumer;
import dev.sluice.batch.BatchSnapshot;
import dev.sluice.batch.PumpListener;
import dev.sluice.batch.RetryPolicy;
import dev.sluice.lifecycle.DrainedLifecycle;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.SentMessage;
import dev.sluice.websocket.SentMessageJournal;

/**
 * Recorder that passes sent messages to a {@link SentMessageJournal}, in batches and in
 * order, without delaying a session. If the journal rejects a batch, the recorder offers
 * it again, after increasing waits, until the journal accepts it. The first failure, at
 * most once a minute, and the end of the failures are logged. Records that find no room
 * in the meantime, and records that remain when the application has stopped, are logged
 * as a warning of {@value LoggingSentMessageJournal#LOGGER}, once a second, with their
 * number and the first of them, so that every loss is logged.
 *
 * @since 0.1.0
 */
public final class SentMessageRecorder extends DrainedLifecycle {

	/*
	 * A message ends once, so it is pushed once; a record's future ends once, so it is
	 * either in a batch that the journal took or in the log. The consumer drops records
	 * that are pushed after its completion was requested. Attacked by
	 * SentMessageRecorderTests.
	 */

	/**
	 * After the stop of the sessions and the web server, and before the stop of thread
	 * pools.
	 */
	private static final int PHASE = Integer.MAX_VALUE / 2 + 1024;

	private static final Duration FIRST_RETRY = Duration.ofMillis(100);

	private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

	private final SentMessageJournal journal;

	private final BatchConsumer<SentMessage> consumer;

	private final UnjournalledMessages unjournalled = new UnjournalledMessages();

	private final JournalFailures failures = new JournalFailures(NanoClock.system());

	private final Duration stopTimeout;

	private SentMessageRecorder(Builder builder) {
		super(PHASE);
		this.journal = builder.journal;
		this.stopTimeout = builder.stopTimeout;
		this.consumer = builder.consumer.build();
	}

	/**
	 * Starts to build a recorder.
	 * @param journal where the records go
	 * @param workers runs the journal; it occupies one thread at a time
	 * @return a builder
	 */
	public static Builder builder(SentMessageJournal journal, Executor workers) {
		return new Builder(journal, workers);
	}

	/** Adds a record, which is written later. */
	void push(SentMessage message) {
		this.consumer.push(message, 0).whenComplete((written, reason) -> {
			if (reason != null) {
				this.unjournalled.add(message, reason);
			}
		});
	}

	private CompletionStage<?> write(List<SentMessage> messages, int slot) throws Exception {
		try {
			this.journal.write(List.copyOf(messages));
		}
		catch (Throwable ex) {
			this.failures.failed(ex);
			throw ex;
		}
		this.failures.succeeded();
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Returns a snapshot of the records in progress.
	 * @return numbers of records that wait, were written, or found no room
	 */
	public BatchSnapshot snapshot() {
		return this.consumer.snapshot();
	}

	/**
	 * Returns how often the journal has failed since it last accepted records.
	 * @return the number of failed calls in a row, 0 for a journal that works
	 */
	public int consecutiveFailures() {
		return this.failures.consecutive();
	}

	@Override
	protected void begin() {
		this.consumer.start(this::write);
	}

	@Override
	protected CompletableFuture<?> drain() {
		long millis = this.stopTimeout.toMillis();
		return this.consumer.complete(true)
			.orTimeout(millis, TimeUnit.MILLISECONDS)
			.handle((result, timeout) -> this.consumer.complete(false).copy())
			.thenCompose((discarded) -> discarded.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS))
			.thenRun(this.unjournalled::write);
	}

	/** Builder of a {@link SentMessageRecorder}. */
	public static final class Builder {

		private final SentMessageJournal journal;

		private final BatchConsumer.Builder<SentMessage> consumer = BatchConsumer.builder();

		private Duration stopTimeout = Duration.ofSeconds(5);

		private Builder(SentMessageJournal journal, Executor workers) {
			this.journal = Objects.requireNonNull(journal, "'journal' must not be null");
			this.consumer.executor(workers)
				.maxWaiting(10_000)
				.retry(RetryPolicy.exponential(Integer.MAX_VALUE, FIRST_RETRY, LONGEST_RETRY));
		}

		/**
		 * Sets the maximum number of records passed to the journal at once.
		 * @param records the number, 100 by default
		 * @return this builder
		 */
		public Builder batchSize(int records) {
			this.consumer.batchSize(records);
			return this;
		}

		/**
		 * Sets how long a record waits for its batch to fill.
		 * @param interval the time, 1 second by default
		 * @return this builder
		 */
		public Builder pushInterval(Duration interval) {
			this.consumer.pushInterval(interval);
			return this;
		}

		/**
		 * Sets how many records may wait; records that find no room are counted in the
		 * log.
		 * @param records the number, 10,000 by default; at least the batch size
		 * @return this builder
		 */
		public Builder maxWaiting(int records) {
			this.consumer.maxWaiting(records);
			return this;
		}

		/**
		 * Sets how long stopping waits for the journal to accept the remaining records.
		 * The rest is then logged; a call of the journal that hangs has the same time
		 * again.
		 * @param timeout the time, 5 seconds by default
		 * @return this builder
		 */
		public Builder stopTimeout(Duration timeout) {
			this.stopTimeout = timeout;
			return this;
		}

		/**
		 * Adds a listener that is notified of every call of the journal.
		 * @param listener the listener
		 * @return this builder
		 */
		public Builder listener(PumpListener listener) {
			this.consumer.listener(listener);
			return this;
		}

		/**
		 * Builds the recorder.
		 * @return a new recorder, not started
		 */
		public SentMessageRecorder build() {
			return new SentMessageRecorder(this);
		}

	}

}
