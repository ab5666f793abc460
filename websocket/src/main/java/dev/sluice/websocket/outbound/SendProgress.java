package dev.sluice.websocket.outbound;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import dev.sluice.time.NanoClock;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.journal.SessionJournal;
import org.jspecify.annotations.Nullable;

/**
 * The message of a session that the container is sending, and the latest queued message.
 */
final class SendProgress {

	/*
	 * A message is handed over, in flight, then ended. The closing thread marks the end
	 * before it calls idle(), and a message is marked as handed over before the end is
	 * read. One of the two detects the other, so that no close frame meets a message that
	 * is not tracked yet. Attacked by SendProgressTests.
	 */

	@SuppressWarnings("rawtypes")
	private static final AtomicReferenceFieldUpdater<SendProgress, @Nullable CompletableFuture> LATEST = AtomicReferenceFieldUpdater
		.newUpdater(SendProgress.class, CompletableFuture.class, "latest");

	private static final Executor REPORT_TIME = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

	private final OutboundState state;

	private final NanoClock clock;

	/**
	 * The id of the thread that passes a message to the container, until its end is
	 * awaited; 0 for none.
	 */
	private volatile long handing;

	/**
	 * Ends when the message that is handed over is in flight; created by the thread that
	 * awaits it.
	 */
	private volatile @Nullable CompletableFuture<@Nullable Void> handed;

	private volatile @Nullable CompletableFuture<@Nullable Void> inFlight;

	/**
	 * The time at which the container received the current message, by the clock; 0 for
	 * none.
	 */
	private volatile long sendingSince;

	/**
	 * How many messages were passed to the container; counted by the thread that has the
	 * turn.
	 */
	private volatile long begun;

	/** The latest message that has not ended, which is sent after most others. */
	private volatile @Nullable CompletableFuture<?> latest;

	SendProgress(OutboundState state, NanoClock clock) {
		this.state = state;
		this.clock = clock;
	}

	/** Called before the calling thread passes a message to the container. */
	void handOver() {
		this.handing = Thread.currentThread().getId();
	}

	/** Called when the message is in flight, has ended, or was rejected. */
	void handedOver() {
		this.handing = 0;
		CompletableFuture<@Nullable Void> awaited = this.handed;
		if (awaited != null) {
			this.handed = null;
			awaited.complete(null);
		}
	}

	/** The container gets a message. */
	@SuppressWarnings("NonAtomicVolatileUpdate") // one message at a time has the turn
	void begin() {
		this.begun++;
		if (this.sendingSince == 0) {
			long now = this.clock.nanoTime();
			this.sendingSince = (now != 0) ? now : 1;
		}
	}

	/** Returns how many messages the container has received. */
	long begun() {
		return this.begun;
	}

	/** Returns whether the container is sending a message. */
	boolean isSending() {
		return this.sendingSince != 0;
	}

	/**
	 * Returns whether the container has had a message for longer than the time, and the
	 * session has not ended.
	 */
	boolean isSendingLongerThan(long now, Duration time) {
		long since = this.sendingSince;
		return since != 0 && now - since > time.toNanos() && this.state.ended() == null;
	}

	/**
	 * Returns whether the container has had the current message for longer than the time.
	 */
	boolean isSendingLongerThan(Duration time) {
		return isSendingLongerThan(this.clock.nanoTime(), time);
	}

	/** Returns whether the end of a message is awaited. */
	boolean isTracking() {
		return this.inFlight != null;
	}

	/**
	 * Ends when the message that the container sends, or is being given by another
	 * thread, has been sent, or not. To be called once the end of the session is marked.
	 */
	CompletableFuture<?> idle() {
		return awaitHandedOver().thenCompose((nothing) -> {
			CompletableFuture<@Nullable Void> sending = this.inFlight;
			return (sending != null) ? sending.handle((sent, failure) -> null)
					: CompletableFuture.completedFuture(null);
		});
	}

	private synchronized CompletableFuture<@Nullable Void> awaitHandedOver() {
		long sender = this.handing;
		if (sender == 0 || sender == Thread.currentThread().getId()) {
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<@Nullable Void> awaited = this.handed;
		if (awaited == null) {
			awaited = new CompletableFuture<>();
			this.handed = awaited;
		}
		if (this.handing == 0) {
			this.handed = null;
			awaited.complete(null);
		}
		return awaited;
	}

	/**
	 * Ensures that a send ends when its connection does, and that the next one begins
	 * only when this one is completely recorded. Tomcat drops a message that meets the
	 * closing frame without reporting it.
	 */
	CompletableFuture<@Nullable Void> track(CompletableFuture<@Nullable Void> sending,
			SessionJournal.@Nullable Entry record) {
		if (sending.isDone() && !sending.isCompletedExceptionally()) {
			this.sendingSince = 0;
			if (record != null) {
				record.ended(null);
			}
			return sending;
		}
		this.inFlight = sending;
		CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
		sending.whenComplete((nothing, failure) -> {
			this.sendingSince = 0;
			this.inFlight = null;
			if (record != null) {
				record.ended(failure);
			}
			SendWaits.runBarred(() -> {
				if (failure != null) {
					sent.completeExceptionally(failure);
				}
				else {
					sent.complete(null);
				}
			});
		});
		if (this.state.isClosed()) {
			failInFlight();
		}
		return sent;
	}

	/** Gives the container time to report a message that it has sent. */
	void failInFlight() {
		CompletableFuture<@Nullable Void> sending = this.inFlight;
		if (sending != null && !sending.isDone()) {
			REPORT_TIME.execute(() -> sending.completeExceptionally(this.state.undecidedException(null)));
		}
	}

	/** The client was cut off: the outcome of the message in flight is unknown. */
	void forgetInFlight(SessionClosedException reason) {
		CompletableFuture<@Nullable Void> sending = this.inFlight;
		if (sending != null) {
			sending.completeExceptionally(this.state.undecidedException(reason));
		}
	}

	/** A message has been queued. */
	void queued(CompletableFuture<?> sent) {
		this.latest = sent;
	}

	/** A queued message has ended. */
	void ended(CompletableFuture<?> sent) {
		LATEST.compareAndSet(this, sent, null);
	}

	/** Returns the latest message that has not ended, or {@code null}. */
	@Nullable CompletableFuture<?> latest() {
		return this.latest;
	}

}
