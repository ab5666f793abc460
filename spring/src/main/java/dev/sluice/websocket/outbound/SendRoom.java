package dev.sluice.websocket.outbound;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/** Room for messages of which the send buffer of a session has none. */
final class SendRoom {

	/**
	 * How long a message may be sent while more waits behind it than the limit of a
	 * session that may exceed it.
	 */
	private static final Duration STALL = Duration.ofSeconds(2);

	private final SendBuffer buffer;

	private final SendWaits waits;

	private final SendProgress progress;

	private final Duration sendTimeLimit;

	/** Whether messages have been taken beyond the limit, for whoever may not wait. */
	private volatile boolean exceeded;

	SendRoom(SendBuffer buffer, SendWaits waits, SendProgress progress, Duration sendTimeLimit) {
		this.buffer = buffer;
		this.waits = waits;
		this.progress = progress;
		this.sendTimeLimit = sendTimeLimit;
	}

	/**
	 * Finds room for a message.
	 * @param full what to do, unless other messages may be dropped; {@code null} for
	 * nothing
	 * @return whether there is room, which is the caller's then
	 */
	boolean find(int bytes, @Nullable FullBuffer full) {
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

	/** Tells why the client takes too little, or {@code null} if it does not. */
	@Nullable String lag(long now) {
		if (this.progress.isSendingLongerThan(now, this.sendTimeLimit)) {
			return "A message took longer to be sent than " + this.sendTimeLimit;
		}
		return (this.exceeded && this.buffer.isExceeded() && this.progress.isSendingLongerThan(now, STALL))
				? "Nothing was sent for " + STALL + ", with " + this.buffer : null;
	}

}
