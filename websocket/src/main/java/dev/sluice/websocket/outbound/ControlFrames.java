package dev.sluice.websocket.outbound;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.TaskQueue;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.container.ClientReading;
import dev.sluice.websocket.container.ControlChannel;
import dev.sluice.websocket.container.HandlingReaders;
import org.jspecify.annotations.Nullable;

/** Control frames that a client sends, answered in the order of the messages to it. */
final class ControlFrames implements ControlChannel.Owner {

	/*
	 * "pong" is exchanged: a ping that finds none queues an answer, and the answer takes
	 * the payload of the latest ping, so at most one answer waits. Pings and the close
	 * are delivered by one thread at a time, which uses the other fields. Attacked by
	 * ControlFramesTests and ClientsHostileTests.
	 */

	/**
	 * Maximum time that handling, and sending, each delay a close from the client.
	 */
	private static final Duration MAX_CLOSE_DELAY = Duration.ofSeconds(1);

	/** Number of pings after which reading is left to other threads. */
	private static final int MAX_PINGS = 64;

	private static final AtomicReferenceFieldUpdater<ControlFrames, @Nullable ByteBuffer> PONG = AtomicReferenceFieldUpdater
		.newUpdater(ControlFrames.class, ByteBuffer.class, "pong");

	private final ControlChannel channel;

	private final ClientReading reading;

	private final HandlingReaders readers;

	private final TaskQueue queue;

	private final OutboundState state;

	private final SendProgress progress;

	private final SessionClosing closing;

	/** Whether the client's close frame has waited; used by the reading thread. */
	private boolean closeHeldBack;

	/** Number of pings received; used by the thread that delivers them. */
	private int pings;

	/** The answer to the latest ping; used by the thread that delivers pings. */
	private @Nullable CompletableFuture<?> answer;

	/**
	 * The answer until which reading is stopped; used by the thread that delivers pings.
	 */
	private @Nullable CompletableFuture<?> heldFor;

	/** The answer to the client's latest ping, while it waits for its turn. */
	private volatile @Nullable ByteBuffer pong;

	/** Takes over the control frames of a channel. */
	ControlFrames(ControlChannel channel, ClientReading reading, HandlingReaders readers, TaskQueue queue,
			OutboundState state, SendProgress progress, SessionClosing closing) {
		this.channel = channel;
		this.reading = reading;
		this.readers = readers;
		this.queue = queue;
		this.state = state;
		this.progress = progress;
		this.closing = closing;
		channel.connect(this);
	}

	/**
	 * The answer is sent in its turn; if the client has sent another ping by then, the
	 * latest ping is answered. A client that has sent another ping is not read until the
	 * answer is written. A client that sends pings continuously is not read until the
	 * container has had a thread for other clients.
	 */
	@Override
	public void pinged(ByteBuffer payload) {
		if (PONG.getAndSet(this, payload) != null) {
			holdUntil(this.answer);
			return;
		}
		LeveledTask<@Nullable Void> answer = this.queue.submitStage(Level.HIGH, this::sendPong);
		answer.exceptionally((failure) -> {
			this.pong = null;
			return null;
		});
		this.answer = answer;
		if (++this.pings % MAX_PINGS == 0) {
			this.reading.hold();
			this.channel.afterReading(this.reading::endHold);
		}
		this.closing.forgetIfClosed();
	}

	private void holdUntil(@Nullable CompletableFuture<?> answer) {
		if (answer != null && answer != this.heldFor) {
			this.heldFor = answer;
			this.reading.hold();
			answer.whenComplete((nothing, failure) -> this.reading.endHold());
		}
	}

	private CompletionStage<@Nullable Void> sendPong() throws SessionClosedException {
		ByteBuffer payload = Objects.requireNonNull(PONG.getAndSet(this, null));
		SessionClosedException reason = this.state.ended();
		if (reason != null) {
			throw reason;
		}
		this.progress.begin();
		return this.progress.track(this.channel.pong(payload), null);
	}

	/** Messages sent before the client closed are written before the answer. */
	@Override
	public boolean holdsBackClose() {
		CompletableFuture<?> last = this.progress.latest();
		if (last == null || this.closeHeldBack) {
			return false;
		}
		this.closeHeldBack = true;
		this.reading.hold();
		last.copy()
			.orTimeout(MAX_CLOSE_DELAY.toMillis(), TimeUnit.MILLISECONDS)
			.whenComplete((nothing, failure) -> this.reading.endHold());
		return true;
	}

	/**
	 * Called for an error of the connection, for example if it ends without a close
	 * frame.
	 */
	void failed() {
		if (this.channel.isReader() && !this.reading.isHandler()) {
			awaitHandled();
		}
	}

	@Override
	public void awaitHandled() {
		if (this.state.ended() != null || !this.readers.enterToWait()) {
			return;
		}
		try {
			this.reading.awaitHandled(MAX_CLOSE_DELAY);
			CompletableFuture<?> last = this.progress.latest();
			if (last != null && !this.progress.isSendingLongerThan(SessionClosing.PATIENCE)) {
				upToDelay(last).join();
			}
		}
		finally {
			this.readers.leave();
		}
	}

	@Override
	public CompletableFuture<?> closing() {
		boolean stalls = this.progress.isTracking() && this.progress.isSendingLongerThan(SessionClosing.PATIENCE);
		this.closing.markEnded(this.state.closedException());
		CompletableFuture<?> idle = this.progress.idle();
		return stalls || !idle.isDone() && !waitsUntil(idle)
				? CompletableFuture.failedFuture(new TimeoutException("A message is being sent")) : idle;
	}

	/**
	 * Returns whether the calling thread, if it is a reading thread, may wait for the end
	 * of a message.
	 */
	private boolean waitsUntil(CompletableFuture<?> idle) {
		if (!this.channel.isReader()) {
			return true;
		}
		if (!this.readers.enterToWait()) {
			return false;
		}
		upToDelay(idle).thenRun(this.readers::leave);
		return true;
	}

	private static CompletableFuture<?> upToDelay(CompletableFuture<?> sent) {
		CompletableFuture<@Nullable Object> ended = sent.handle((value, failure) -> null);
		return ended.completeOnTimeout(null, MAX_CLOSE_DELAY.toMillis(), TimeUnit.MILLISECONDS);
	}

}
