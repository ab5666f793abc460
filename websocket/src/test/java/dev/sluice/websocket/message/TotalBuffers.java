package dev.sluice.websocket.message;

import java.util.List;

/** Bounds for tests in which there is one session. */
public final class TotalBuffers {

	private TotalBuffers() {
	}

	public static TotalBuffer<?> unbounded() {
		return of(Long.MAX_VALUE);
	}

	public static TotalBuffer<?> of(long limit) {
		return new TotalBuffer<>(limit, (session) -> 0, (session, total) -> {
		}, List.of());
	}

}
