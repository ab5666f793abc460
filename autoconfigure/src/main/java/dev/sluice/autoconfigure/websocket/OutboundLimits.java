package dev.sluice.autoconfigure.websocket;

import java.time.Duration;

import org.springframework.util.unit.DataSize;

/** Limits of messages to one client, and their sources. */
final class OutboundLimits {

	static final SourcedLimit<Duration> DEFAULT_TIME = SourcedLimit.ofDefault(Duration.ofSeconds(10));

	static final SourcedLimit<DataSize> DEFAULT_SIZE = SourcedLimit.ofDefault(DataSize.ofKilobytes(512));

	private OutboundLimits() {
	}

	/**
	 * Describes the effective limits, given the defaults that apply without a property.
	 */
	static String describe(OutboundProperties properties, SourcedLimit<DataSize> size, SourcedLimit<Duration> time) {
		return "waiting to be sent "
				+ SourcedLimit.choose("sluice.websocket.outbound.buffer-size-limit", properties.bufferSizeLimit(), size)
				+ " and "
				+ SourcedLimit.choose("sluice.websocket.outbound.send-time-limit", properties.sendTimeLimit(), time);
	}

}
