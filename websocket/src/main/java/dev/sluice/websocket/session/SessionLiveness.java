package dev.sluice.websocket.session;

import java.time.Duration;
import java.util.concurrent.Executor;

import dev.sluice.execution.Level;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.inbound.InboundPressure;
import dev.sluice.websocket.outbound.SessionOutbound;
import dev.sluice.websocket.settings.LivenessLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.SessionLimitExceededException;

/** Liveness of a session, which is ended when it is not alive or idle. */
public final class SessionLiveness {

	/*
	 * The monitor only checks. Actions run on a control thread, so that one session does
	 * not delay the check of others. One action runs at a time: "acting" is set before
	 * the hand-over and cleared when the action is complete, or when the hand-over has
	 * failed; the next check then finds the same state and tries again. Attacked by
	 * SessionLivenessTests.
	 */

	private final SessionOutbound outbound;

	private final InboundPressure pressure;

	private final NanoClock clock;

	private final boolean pingable;

	private final @Nullable Duration idle;

	private final Executor control;

	private volatile boolean acting;

	private volatile long lastFrame;

	private volatile long lastMessage;

	/** Time since which parts of a message are missing, by the clock; 0 if none are. */
	private volatile long incompleteSince;

	/**
	 * Time at which the monitor last detected that reading was stopped, so that no part
	 * could arrive.
	 */
	private volatile long unread;

	/** Written by the monitor, and by the sender of the ping that it requested. */
	private volatile Ping ping = Ping.NONE;

	/**
	 * When the ping was queued: any later frame answers it, even before the ping is
	 * reported as sent.
	 */
	private volatile long asked;

	/** Time at which the ping was sent; the time for an answer begins here. */
	private volatile long pinged;

	/**
	 * Creates the liveness of a session that was just opened.
	 * @param pingable whether the client answers pings
	 * @param idle the idle time that the application has set at the container for the
	 * session, or {@code null}; it applies if {@link LivenessMonitor} has none
	 * @param control runs tasks that must not wait for handlers
	 */
	SessionLiveness(SessionOutbound outbound, InboundPressure pressure, NanoClock clock, boolean pingable,
			@Nullable Duration idle, Executor control) {
		this.outbound = outbound;
		this.pressure = pressure;
		this.clock = clock;
		this.pingable = pingable;
		this.idle = idle;
		this.control = control;
		this.lastFrame = clock.nanoTime();
		this.lastMessage = this.lastFrame;
		this.unread = this.lastFrame;
	}

	/** Called when the client has sent a frame; a pong is not a message. */
	public void received(WebSocketMessage<?> frame) {
		this.lastFrame = this.clock.nanoTime();
		if (!(frame instanceof PongMessage)) {
			this.lastMessage = this.lastFrame;
		}
	}

	/**
	 * Called when a part of a message has arrived, with whether more parts are missing.
	 */
	void assembling(boolean incomplete) {
		if (!incomplete) {
			this.incompleteSince = 0;
		}
		else if (this.incompleteSince == 0) {
			long now = this.clock.nanoTime();
			this.incompleteSince = (now != 0) ? now : 1;
		}
	}

	void check(long now, LivenessLimits limits) {
		if (this.pressure.isSuspended()) {
			this.unread = now;
		}
		if (this.acting || this.outbound.hasEnded()) {
			return;
		}
		Duration idle = (limits.idle() != null) ? limits.idle() : this.idle;
		SessionLimitExceededException lag = this.outbound.lag(now);
		if (lag != null) {
			act(() -> this.outbound.cutOff(lag));
		}
		else if (isIncomplete(now, limits.message())) {
			cutOff(CloseStatuses.INCOMPLETE, "A message was not complete within " + limits.message());
		}
		else if (idle != null && isOver(now, this.lastMessage, idle)
				&& isOver(now, this.outbound.lastMessage(), idle)) {
			act(() -> this.outbound.close(CloseStatuses.IDLE, Level.NORMAL));
		}
		else if (limits.heartbeatInterval() != null && this.pingable && !this.outbound.isClosing()) {
			beat(now, limits.heartbeatInterval(), limits.heartbeatTimeout());
		}
	}

	private boolean isIncomplete(long now, Duration time) {
		long since = this.incompleteSince;
		return since != 0 && isOver(now, since, time) && isOver(now, this.unread, time);
	}

	private void beat(long now, Duration interval, Duration timeout) {
		if (this.pressure.isSuspended()) {
			this.ping = (this.ping == Ping.QUEUED) ? Ping.QUEUED : Ping.NONE;
			return;
		}
		switch (this.ping) {
			case NONE -> {
				if (isOver(now, this.lastFrame, interval) && !this.outbound.isSending()) {
					act(this::ping);
				}
			}
			case SENT -> {
				if (this.lastFrame - this.asked > 0) {
					this.ping = Ping.NONE;
				}
				else if (isOver(now, this.pinged, timeout)) {
					this.ping = Ping.UNANSWERED;
					this.outbound.afterReading(this::unanswered);
				}
			}
			case LOST -> {
				if (this.lastFrame - this.asked > 0) {
					this.ping = Ping.NONE;
				}
				else {
					cutOff(CloseStatuses.UNANSWERED, "The client did not answer a ping within " + timeout);
				}
			}
			case QUEUED, UNANSWERED -> {
			}
		}
	}

	private void ping() {
		this.ping = Ping.QUEUED;
		this.asked = this.clock.nanoTime();
		this.outbound.ping().whenComplete((sent, failure) -> {
			this.pinged = this.clock.nanoTime();
			this.ping = (failure == null) ? Ping.SENT : Ping.NONE;
		});
	}

	/** Called when the container has had a thread after the time for the answer. */
	private void unanswered() {
		if (this.ping == Ping.UNANSWERED) {
			this.ping = Ping.LOST;
		}
	}

	private void cutOff(CloseStatus status, String reason) {
		act(() -> this.outbound.cutOff(new SessionLimitExceededException(reason, status)));
	}

	private void act(Runnable action) {
		this.acting = true;
		try {
			this.control.execute(() -> {
				try {
					action.run();
				}
				finally {
					this.acting = false;
				}
			});
		}
		catch (Throwable ex) {
			this.acting = false;
			throw ex;
		}
	}

	private static boolean isOver(long now, long since, Duration time) {
		return now - since > time.toNanos();
	}

	/**
	 * State of the ping of a session.
	 */
	private enum Ping {

		/** No ping is pending; the next follows after a time of silence. */
		NONE,

		/** Requested, and waiting for its turn. */
		QUEUED,

		/** On its way. Any frame of the client answers it. */
		SENT,

		/** Not answered in time; the container is made to read again. */
		UNANSWERED,

		/**
		 * Not answered, although the container has had a thread to read the data received
		 * in the meantime: a server that is too busy to read must not blame its clients.
		 */
		LOST

	}

}
