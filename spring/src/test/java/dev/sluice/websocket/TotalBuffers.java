package dev.sluice.websocket;

import java.util.List;

/** Bounds for tests in which there is one session. */
final class TotalBuffers {

	private TotalBuffers() {
	}

	static TotalBuffer unbounded() {
		return new TotalBuffer(Long.MAX_VALUE, TotalBuffer.Side.INBOUND, List.of());
	}

}
