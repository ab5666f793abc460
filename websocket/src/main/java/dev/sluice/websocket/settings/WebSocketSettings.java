package dev.sluice.websocket.settings;

import dev.sluice.websocket.OnThrottled;

/**
 * Settings of the sessions of an application.
 *
 * @param limits the limits of each session
 * @param liveness the times after which a session is ended
 * @param quota the maximum numbers of sessions
 * @param totals the maximum waiting bytes of all sessions together
 * @param onThrottled action to take when a limit rejects a message
 * @param typeProperty the property that contains the type of a JSON message
 */
public record WebSocketSettings(SessionLimits limits, LivenessLimits liveness, QuotaLimits quota, TotalLimits totals,
		OnThrottled onThrottled, String typeProperty) {

	/** Returns the defaults. */
	public static WebSocketSettings defaults() {
		return new WebSocketSettings(SessionLimits.DEFAULTS, LivenessLimits.DEFAULTS, QuotaLimits.NONE,
				TotalLimits.ofHeap(), OnThrottled.FRAME, "type");
	}

}
