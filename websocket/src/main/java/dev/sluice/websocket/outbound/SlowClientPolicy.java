package dev.sluice.websocket.outbound;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.execution.Level;
import dev.sluice.websocket.CloseStatuses;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.handler.SessionLimitExceededException;

/**
 * Decides whether a client reads too slowly and is closed: sending a message takes longer
 * than the limit, or the waiting bytes exceed their limit and can neither be waited for
 * nor dropped.
 */
final class SlowClientPolicy {

	/*
	 * "exceeded" is only ever set, before the bytes beyond the limit are counted. The
	 * check of a lagging client reads the other parts, each of which guards its own
	 * state. Attacked by StalledClientsTests and ClientsHostileTests.
	 */

	/**
	 * Maximum time to send a message while more than the limit waits, for a session that
	 * may exceed it.
	 */
	private static final Duration STALL = Duration.ofSeconds(2);

	private final String sessionId;

	private final SendBuffer buffer;

	private final SendWaits waits;

	private final SendProgress progress;

	private final Duration sendTimeLimit;

	private final CutOffLog log;

	/**
	 * Whether messages have been accepted beyond the limit, for senders that may not
	 * wait.
	 */
	private volatile boolean exceeded;

	SlowClientPolicy(String sessionId, SendBuffer buffer, SendWaits waits, SendProgress progress,
			Duration sendTimeLimit, CutOffLog log) {
		this.sessionId = sessionId;
		this.buffer = buffer;
		this.waits = waits;
		this.progress = progress;
		this.sendTimeLimit = sendTimeLimit;
		this.log = log;
	}

	/**
	 * Finds room for a message.
	 * @param full strategy if there is no room, unless other messages may be dropped;
	 * {@code null} for none
	 * @return whether room was reserved
	 */
	boolean admits(int bytes, Level level, @Nullable FullBuffer full) {
		if (full == FullBuffer.IGNORE) {
			return true;
		}
		if (full != null && full.rejects()) {
			return this.buffer.reserveForStream(bytes, full == FullBuffer.REJECT_AT_HALF);
		}
		if (this.buffer.reserve(bytes, level, this.sessionId)) {
			return true;
		}
		if (full == null || this.buffer.drops()) {
			return false;
		}
		if (full == FullBuffer.EXCEED) {
			this.exceeded = true;
			this.buffer.exceed(bytes);
			return true;
		}
		AtomicBoolean room = new AtomicBoolean(true);
		try {
			if (!this.waits
				.block(() -> room.set(this.buffer.awaitRoom(bytes, this.sendTimeLimit, this.progress::begun)))) {
				this.buffer.exceed(bytes);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.buffer.exceed(bytes);
		}
		return room.get();
	}

	/**
	 * Returns the reason to close a client whose messages were not admitted, and logs it.
	 */
	SessionLimitExceededException overflow() {
		this.log.full(this.sessionId, this.buffer);
		return tooMuch("Session '" + this.sessionId + "' has " + this.buffer);
	}

	/**
	 * Returns why to close a client that receives too little, and logs it, or
	 * {@code null}.
	 */
	@Nullable SessionLimitExceededException lag(long now) {
		if (this.progress.isSendingLongerThan(now, this.sendTimeLimit)) {
			this.log.slow(this.sessionId);
			return new SessionLimitExceededException("A message took longer to be sent than " + this.sendTimeLimit,
					CloseStatuses.TOO_SLOW);
		}
		if (this.exceeded && this.buffer.isExceeded() && this.progress.isSendingLongerThan(now, STALL)) {
			this.log.full(this.sessionId, this.buffer);
			return tooMuch("Nothing was sent for " + STALL + ", with " + this.buffer);
		}
		return null;
	}

	/** Creates the reason to close a client for which too many messages wait. */
	static SessionLimitExceededException tooMuch(String reason) {
		return new SessionLimitExceededException(reason, CloseStatuses.TOO_MUCH_UNSENT);
	}

}
