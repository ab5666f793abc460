package dev.sluice.client;

/** Meaning of the code of a close for the session. */
enum CloseMeaning {

	/** The session has ended. */
	ENDED,

	/** The connection was lost, and the session may be resumed. */
	LOST,

	/** The request to resume came late, and is sent again at once. */
	LATE;

	static CloseMeaning of(int code) {
		return switch (code) {
			case 1000, 1002, 1003, 1007, 1008, 1009 -> ENDED;
			case 4408 -> LATE;
			case 4500 -> LOST;
			default -> (code >= 4000) ? ENDED : LOST;
		};
	}

}
