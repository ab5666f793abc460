package dev.sluice.websocket.session;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.time.NanoClock;
import dev.sluice.websocket.settings.LivenessLimits;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Periodic check of the sessions that have not ended, which ends those whose message
 * takes too long to be sent or to come in, whose client does not answer a ping, or which
 * nobody uses, and gives up the stages of handlers that take too long, of sessions too
 * whose client has left. A session that cannot be looked after keeps no other from being
 * so, and is looked after again.
 */
public final class LivenessMonitor {

	/*
	 * "awake" is set by whoever schedules the next look; the look itself clears it when
	 * it has seen no session, and looks once more then. A session is added before awake()
	 * is called, so one of the two sees the other.
	 */

	private static final Log logger = LogFactory.getLog(LivenessMonitor.class);

	private final LivenessLimits limits;

	private final Duration tick;

	private final NanoClock clock;

	private final Collection<OrderedWebSocketSession> sessions;

	private final AtomicBoolean awake = new AtomicBoolean();

	public LivenessMonitor(LivenessLimits limits, Duration sendTime, NanoClock clock,
			Collection<OrderedWebSocketSession> sessions) {
		this.limits = limits;
		this.tick = limits.tick(sendTime);
		this.clock = clock;
		this.sessions = sessions;
	}

	/** Called after a session was added. */
	public void awake() {
		if (this.awake.compareAndSet(false, true)) {
			this.clock.schedule(this::look, this.tick);
		}
	}

	private void look() {
		try {
			long now = this.clock.nanoTime();
			this.sessions.forEach((session) -> check(session, now));
		}
		finally {
			this.awake.set(false);
			if (!this.sessions.isEmpty()) {
				awake();
			}
		}
	}

	private void check(OrderedWebSocketSession session, long now) {
		try {
			if (this.limits.handling() != null) {
				session.handling().check(now, this.limits.handling());
			}
			session.liveness().check(now, this.limits);
		}
		catch (Throwable ex) {
			logger.error("Failed to look after " + session, ex);
		}
	}

}
