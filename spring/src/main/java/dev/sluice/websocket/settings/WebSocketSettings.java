package dev.sluice.websocket.settings;

import dev.sluice.websocket.OnThrottled;

/**
 * Settings of the sessions of an application.
 *
 * @param limits the limits of each session
 * @param liveness the times after which a session is ended
 * @param quota how many sessions there may be
 * @param totals the bytes that may wait in all sessions together
 * @param onThrottled what becomes of messages whose limits reject them
 * @param typeProperty the property that tells the type of a JSON message
 */
public record WebSocketSettings(SessionLimits limits, LivenessLimits liveness, QuotaLimits quota, TotalLimits totals,
		OnThrottled onThrottled, String typeProperty) {

	/** Returns the defaults. */
	public static WebSocketSettings defaults() {
		return new WebSocketSettings(SessionLimits.DEFAULTS, LivenessLimits.DEFAULTS, QuotaLimits.NONE,
				TotalLimits.ofHeap(), OnThrottled.FRAME, "type");
	}

	/** Returns these settings with other limits of each session. */
	public WebSocketSettings withLimits(SessionLimits limits) {
		return new WebSocketSettings(limits, this.liveness, this.quota, this.totals, this.onThrottled,
				this.typeProperty);
	}

	/** Returns these settings with other times. */
	public WebSocketSettings withLiveness(LivenessLimits liveness) {
		return new WebSocketSettings(this.limits, liveness, this.quota, this.totals, this.onThrottled,
				this.typeProperty);
	}

	/** Returns these settings with other numbers of sessions. */
	public WebSocketSettings withQuota(QuotaLimits quota) {
		return new WebSocketSettings(this.limits, this.liveness, quota, this.totals, this.onThrottled,
				this.typeProperty);
	}

	/** Returns these settings with other bounds over all sessions. */
	public WebSocketSettings withTotals(TotalLimits totals) {
		return new WebSocketSettings(this.limits, this.liveness, this.quota, totals, this.onThrottled,
				this.typeProperty);
	}

}
