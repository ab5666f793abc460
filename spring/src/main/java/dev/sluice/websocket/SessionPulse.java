package dev.sluice.websocket;

import java.time.Duration;

import dev.sluice.time.NanoClock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.PongMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.SessionLimitExceededException;

/** Tells whether a session is alive and in use, and ends one that is not. */
final class SessionPulse {

	private static final Log logger = LogFactory.getLog(SessionPulse.class);

	private final SessionOutbound outbound;

	private final InboundPressure pressure;

	private final NanoClock clock;

	private final boolean pingable;

	private volatile long lastFrame;

	private volatile long lastMessage;

	/** Written by the vigil and by whoever sent the ping that it asked for. */
	private volatile Ping ping = Ping.NONE;

	/**
	 * When the ping was queued: what comes later answers it, even before it is told sent.
	 */
	private volatile long asked;

	/** When the ping was sent: the time for an answer counts from here. */
	private volatile long pinged;

	/**
	 * Creates the pulse of a session that was just opened.
	 * @param pingable whether the client's end answers pings
	 */
	SessionPulse(SessionOutbound outbound, InboundPressure pressure, NanoClock clock, boolean pingable) {
		this.outbound = outbound;
		this.pressure = pressure;
		this.clock = clock;
		this.pingable = pingable;
		this.lastFrame = clock.nanoTime();
		this.lastMessage = this.lastFrame;
	}

	/** The client has sent something; a pong is no message. */
	void received(WebSocketMessage<?> frame) {
		this.lastFrame = this.clock.nanoTime();
		if (!(frame instanceof PongMessage)) {
			this.lastMessage = this.lastFrame;
		}
	}

	void check(long now, SessionVigil.Times times) {
		if (this.outbound.isSendingLongerThan(now, times.sendTime())) {
			this.outbound.cutOff(CloseStatus.SESSION_NOT_RELIABLE, new SessionLimitExceededException(
					"A message took longer to be sent than " + times.sendTime(), CloseStatus.SESSION_NOT_RELIABLE));
		}
		else if (times.idle() != null && isOver(now, this.lastMessage, times.idle())
				&& isOver(now, this.outbound.lastMessage(), times.idle())) {
			this.outbound.closeIdle();
		}
		else if (times.heartbeatInterval() != null && this.pingable && !this.outbound.isClosing()) {
			beat(now, times.heartbeatInterval(), times.heartbeatTimeout());
		}
	}

	private void beat(long now, Duration interval, Duration timeout) {
		if (this.pressure.isSuspended()) {
			this.ping = (this.ping == Ping.QUEUED) ? Ping.QUEUED : Ping.NONE;
			return;
		}
		switch (this.ping) {
			case NONE -> {
				if (isOver(now, this.lastFrame, interval) && !this.outbound.isSending()) {
					this.ping = Ping.QUEUED;
					this.asked = now;
					this.outbound.ping().whenComplete((sent, failure) -> {
						this.pinged = this.clock.nanoTime();
						this.ping = (failure == null) ? Ping.SENT : Ping.NONE;
					});
				}
			}
			case SENT -> {
				if (this.lastFrame - this.asked > 0) {
					this.ping = Ping.NONE;
				}
				else if (isOver(now, this.pinged, timeout)) {
					logger.debug("No sign of life within " + timeout);
					this.outbound.cutOff(CloseStatus.SESSION_NOT_RELIABLE, new SessionLimitExceededException(
							"The client did not answer a ping within " + timeout, CloseStatus.SESSION_NOT_RELIABLE));
				}
			}
			case QUEUED -> {
			}
		}
	}

	private static boolean isOver(long now, long since, Duration time) {
		return now - since > time.toNanos();
	}

	/** How far a ping has come. */
	private enum Ping {

		NONE, QUEUED, SENT

	}

}
