package dev.sluice.autoconfigure.websocket;

import dev.sluice.autoconfigure.execution.SluiceExecutionProperties;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.execution.OverflowStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of waiting messages of a session at which reading from its socket stops and
 * resumes. A mark that is not set is derived from the other.
 */
record WaterMarks(int high, int low) {

	private static final String HIGH = "'sluice.websocket.inbound.high-water-mark'";

	private static final String LOW = "'sluice.websocket.inbound.low-water-mark'";

	private static final String CAPACITY = "'sluice.execution.queue-capacity'";

	private static final int DEFAULT_HIGH = 128;

	/**
	 * Returns the marks of an application.
	 * @throws InvalidConfigurationException if a mark that is set is not valid
	 */
	static WaterMarks of(InboundProperties inbound, SluiceExecutionProperties execution) {
		int places = (execution.overflow() == OverflowStrategy.REJECT) ? execution.queueCapacity() : Integer.MAX_VALUE;
		int high = high(inbound.highWaterMark(), places);
		Integer low = inbound.lowWaterMark();
		if (low != null && low >= high) {
			throw new InvalidConfigurationException(
					"Property " + LOW + " must be less than " + HIGH + ", which is " + high + ": " + low,
					"Correct " + LOW + ", or remove it to have the default.");
		}
		return new WaterMarks(high, (low != null) ? low : high / 4);
	}

	/** Reading must stop before messages of the session are rejected. */
	private static int high(@Nullable Integer high, int places) {
		if (high == null) {
			return Math.max(1, Math.min(DEFAULT_HIGH, places / 2));
		}
		if (high >= places) {
			throw new InvalidConfigurationException(
					"Property " + HIGH + " must be less than " + CAPACITY + ", which is " + places + ": " + high,
					"Set " + HIGH + " to less than " + places + ", or raise " + CAPACITY + ".");
		}
		return high;
	}

}
