package dev.sluice.websocket.settings;

import org.springframework.util.Assert;

/**
 * Limits of the messages of one session that wait to be handled.
 *
 * @param highWaterMark the messages at which reading stops
 * @param lowWaterMark the messages at which reading resumes
 * @param bufferSizeLimit the bytes at which reading stops, a few hundred for the objects
 * of each message among them; reading resumes at half of them
 * @param blocking whether the delivering thread waits, without a time limit, if reading
 * cannot be stopped; otherwise the session is closed with 1013
 */
public record InboundLimits(int highWaterMark, int lowWaterMark, int bufferSizeLimit, boolean blocking) {

	/** 128 and 32 messages, 1 MB, waiting. */
	public static final InboundLimits DEFAULTS = new InboundLimits(128, 32, 1024 * 1024, true);

	public InboundLimits {
		Assert.isTrue(lowWaterMark >= 0 && lowWaterMark < highWaterMark,
				() -> "'lowWaterMark' must not be negative and be less than 'highWaterMark': " + lowWaterMark + ", "
						+ highWaterMark);
		Assert.isTrue(bufferSizeLimit > 0, () -> "'bufferSizeLimit' must be greater than 0: " + bufferSizeLimit);
	}

}
