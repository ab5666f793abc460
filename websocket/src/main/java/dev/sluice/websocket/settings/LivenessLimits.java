package dev.sluice.websocket.settings;

import java.time.Duration;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Times after which a session, or one of its operations, is ended.
 *
 * @param handling maximum time for the stage that a method of a typed session returns,
 * after which it is cancelled; {@code null} for no limit
 * @param message maximum time to receive a message, from its first part to its last,
 * without the time in which the server does not read; after it the session is closed with
 * 1008. Handlers that receive the parts themselves are not affected
 * @param heartbeatInterval silence of the client after which to send a ping; zero or
 * {@code null} for no heartbeat. Not used for clients of SockJS, which has its own
 * heartbeats
 * @param heartbeatTimeout maximum time to wait for a sign of life after a ping, after
 * which the session is ended
 * @param idle time without a message in either direction after which the session is
 * closed with 1001; {@code null} for no limit
 */
public record LivenessLimits(@Nullable Duration handling, Duration message, @Nullable Duration heartbeatInterval,
		Duration heartbeatTimeout, @Nullable Duration idle) {

	/**
	 * 30 seconds for a message, pings after 25 seconds and 10 seconds for their answers.
	 */
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
	 * Returns how often to check: a tenth of the shortest time, up to a second.
	 * @param sendTime the maximum time to send a message
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
