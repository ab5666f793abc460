package dev.sluice.websocket.session;

import java.util.List;

/** Bounds for tests in which there is one session. */
public final class TotalBuffers {

	private TotalBuffers() {
	}

	public static TotalBuffer unbounded() {
		return new TotalBuffer(Long.MAX_VALUE, TotalBuffer.Side.INBOUND, List.of());
	}

}
