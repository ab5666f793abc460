package dev.sluice.websocket.session;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.internal.FatalErrors;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.settings.LivenessLimits;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Periodic check of the sessions that have not ended. It ends sessions whose message
 * takes too long to be sent or received, whose client does not answer a ping, or which
 * are idle. It abandons the stages of handlers that take too long, even if the client has
 * left. If the check of one session fails, the other sessions are still checked, and the
 * session is checked again next time.
 */
public final class LivenessMonitor {

	/*
	 * "awake" is set by the thread that schedules the next check. The check clears it
	 * when it has found no session, and then checks once again. A session is added before
	 * awake() is called, so that one of the two detects the other. Attacked by
	 * SessionLivenessTests.
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
			logger.error("Failed to check " + session, ex);
			FatalErrors.passOn(ex);
		}
	}

}
