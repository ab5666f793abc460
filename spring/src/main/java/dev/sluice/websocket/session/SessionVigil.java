package dev.sluice.websocket.session;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import dev.sluice.time.NanoClock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the sessions from time to time, as long as there are any: ends those whose
 * message takes too long to be sent or to come in, whose client does not answer a ping,
 * or which nobody uses, and gives up the stages of handlers that take too long, of
 * sessions too whose client has left. A session that cannot be looked after keeps no
 * other from being so, and is looked after again.
 */
public final class SessionVigil {

	/**
	 * How long what may take.
	 *
	 * @param sendTime the sending of a message
	 * @param handling the stage of a handler, or {@code null} for no limit
	 * @param message the coming in of a message, from its first part to its last
	 * @param heartbeatInterval silence of the client, before it is pinged; {@code null}
	 * for no heartbeat
	 * @param heartbeatTimeout a sign of life after a ping
	 * @param idle the time without a message either way, or {@code null} for no limit
	 */
	public record Times(Duration sendTime, @Nullable Duration handling, Duration message,
			@Nullable Duration heartbeatInterval, Duration heartbeatTimeout, @Nullable Duration idle) {

		/** How often to look: a tenth of the shortest time, at most a second. */
		Duration tick() {
			long shortest = Stream
				.of(this.sendTime, this.handling, this.message, this.heartbeatInterval, this.heartbeatTimeout,
						this.idle)
				.filter((time) -> time != null)
				.mapToLong(Duration::toMillis)
				.min()
				.orElseThrow();
			return Duration.ofMillis(Math.max(1, Math.min(1_000, shortest / 10)));
		}

	}

	/*
	 * "awake" is set by whoever schedules the next look; the look itself clears it when
	 * it has seen no session, and looks once more then. A session is added before awake()
	 * is called, so one of the two sees the other.
	 */

	private static final Log logger = LogFactory.getLog(SessionVigil.class);

	private final Times times;

	private final NanoClock clock;

	private final Collection<OrderedWebSocketSession> sessions;

	private final AtomicBoolean awake = new AtomicBoolean();

	public SessionVigil(Times times, NanoClock clock, Collection<OrderedWebSocketSession> sessions) {
		this.times = times;
		this.clock = clock;
		this.sessions = sessions;
	}

	/** Told after a session was added. */
	public void awake() {
		if (this.awake.compareAndSet(false, true)) {
			this.clock.schedule(this::look, this.times.tick());
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
			if (this.times.handling() != null) {
				session.handling().check(now, this.times.handling());
			}
			session.pulse().check(now, this.times);
		}
		catch (Throwable ex) {
			logger.error("Failed to look after " + session, ex);
		}
	}

}
