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
		return new TotalBuffer<>(limit, new TotalBuffer.Side<Object>() {

			@Override
			public long waiting(Object session) {
				return 0;
			}

			@Override
			public void cutOff(Object session, TotalBuffer<Object> total) {
			}

		}, List.of());
	}

}
