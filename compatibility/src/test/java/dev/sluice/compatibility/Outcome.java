package dev.sluice.compatibility;

import java.util.ArrayList;
import java.util.List;

/**
 * What came back over a connection. Messages, in their order, and pongs, in theirs, are
 * apart: control frames may pass messages.
 */
final class Outcome {

	private final List<String> messages = new ArrayList<>();

	private final List<String> pongs = new ArrayList<>();

	private String close = "no close frame";

	private String end = "";

	void message(String message) {
		this.messages.add(message);
	}

	void pong(String payload) {
		this.pongs.add(payload);
	}

	void close(int code) {
		this.close = "close frame " + ((code > 0) ? code : "without a code");
	}

	void end(String how) {
		this.end = how;
	}

	@Override
	public String toString() {
		return "messages: %s; pongs: %s; %s; %s".formatted(this.messages, this.pongs, this.close, this.end);
	}

}
