package dev.sluice.websocket.settings;

import java.time.Duration;

/** Settings that differ from the defaults in some parts. */
public final class TestSettings {

	/** No thread waits for a session that has too many messages. */
	public static final SessionLimits NOT_BLOCKING = limits(new InboundLimits(128, 32, 1024 * 1024, false));

	private TestSettings() {
	}

	public static WebSocketSettings of(Record... parts) {
		WebSocketSettings defaults = WebSocketSettings.defaults();
		return new WebSocketSettings(part(defaults.limits(), parts), part(defaults.liveness(), parts),
				part(defaults.quota(), parts), part(defaults.totals(), parts), defaults.onThrottled(),
				defaults.typeProperty());
	}

	public static SessionLimits limits(Object... parts) {
		SessionLimits defaults = SessionLimits.DEFAULTS;
		return new SessionLimits(defaults.maxTextMessageSize(), defaults.maxBinaryMessageSize(),
				defaults.containerSizes(), part(defaults.inbound(), parts), part(defaults.send(), parts),
				part(defaults.sendOverflow(), parts));
	}

	public static LivenessLimits heartbeat(Duration interval, Duration timeout) {
		return new LivenessLimits(null, LivenessLimits.DEFAULTS.message(), interval, timeout, null);
	}

	public static LivenessLimits idle(Duration time) {
		LivenessLimits defaults = LivenessLimits.DEFAULTS;
		return new LivenessLimits(null, defaults.message(), defaults.heartbeatInterval(), defaults.heartbeatTimeout(),
				time);
	}

	@SuppressWarnings("unchecked")
	private static <T> T part(T otherwise, Object[] parts) {
		for (Object part : parts) {
			if (otherwise.getClass().isInstance(part)) {
				return (T) part;
			}
		}
		return otherwise;
	}

}
