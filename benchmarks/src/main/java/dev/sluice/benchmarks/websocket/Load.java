package dev.sluice.benchmarks.websocket;

/** A handler of {@link EchoServer}, by its path. */
enum Load {

	/** Sends the message back. */
	ECHO("/echo", "echo"),

	/** Waits for a millisecond, as for a database, and sends the message back. */
	BLOCKING("/blocking", "echo after 1 ms"),

	/** Sends more than any client's buffers take. */
	FILL("/fill", "8 MB");

	final String path;

	final String title;

	Load(String path, String title) {
		this.path = path;
		this.title = title;
	}

}
