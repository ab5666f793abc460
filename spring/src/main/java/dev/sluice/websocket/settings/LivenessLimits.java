package dev.sluice.websocket.settings;

import java.time.Duration;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Times after which a session, or one of its operations, is ended.
 *
 * @param handling the stage that a method of a typed session returns, which is cancelled
 * past it; {@code null} for no limit
 * @param message the coming in of a message, from its first part to its last, without the
 * time in which the server does not read; past it the session is ended with 1008.
 * Handlers that take the parts themselves are not affected
 * @param heartbeatInterval silence of the client, before it is pinged; zero or
 * {@code null} for no heartbeat. Clients of SockJS are left alone, as it has heartbeats
 * of its own
 * @param heartbeatTimeout a sign of life after a ping; past it the session is ended
 * @param idle the time without a message either way, after which the session is closed
 * with 1001; {@code null} for no limit
 */
public record LivenessLimits(@Nullable Duration handling, Duration message, @Nullable Duration heartbeatInterval,
		Duration heartbeatTimeout, @Nullable Duration idle) {

	/** 30 seconds for a message, pings after 25 seconds and 10 for their answers. */
	public static final LivenessLimits DEFAULTS = new LivenessLimits(null, Duration.ofSeconds(30),
			Duration.ofSeconds(25), Duration.ofSeconds(10), null);

	public LivenessLimits {
		requireTime(handling, "handling");
		requireTime(message, "message");
		requireTime(heartbeatTimeout, "heartbeatTimeout");
		requireTime(idle, "idle");
		if (heartbeatInterval != null && heartbeatInterval.toMillis() <= 0) {
			heartbeatInterval = null;
		}
	}

	private static void requireTime(@Nullable Duration time, String name) {
		if (time != null && time.toMillis() <= 0) {
			throw new IllegalArgumentException("'" + name + "' must be at least a millisecond: " + time);
		}
	}

	/**
	 * Returns how often to check: a tenth of the shortest time, at most a second.
	 * @param sendTime the time in which a message must have been sent
	 */
	public Duration tick(Duration sendTime) {
		long shortest = Stream
			.of(sendTime, this.handling, this.message, this.heartbeatInterval, this.heartbeatTimeout, this.idle)
			.filter((time) -> time != null)
			.mapToLong(Duration::toMillis)
			.min()
			.orElseThrow();
		return Duration.ofMillis(Math.max(1, Math.min(1_000, shortest / 10)));
	}

}
