package dev.sluice.compatibility;

import java.util.function.Consumer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Takes the messages out of the frames of SockJS. */
final class SockJsFrames implements Consumer<String> {

	private static final ObjectMapper JSON = new ObjectMapper();

	private final Consumer<String> received;

	private final Consumer<String> ended;

	SockJsFrames(Consumer<String> received, Consumer<String> ended) {
		this.received = received;
		this.ended = ended;
	}

	/** Returns the frame by which a client sends a message. */
	static String frame(String message) {
		return JSON.writeValueAsString(new String[] { message });
	}

	@Override
	public void accept(String frame) {
		if (frame.startsWith("a")) {
			for (JsonNode message : JSON.readTree(frame.substring(1))) {
				this.received.accept(message.asString());
			}
		}
		else if (frame.startsWith("c")) {
			this.ended.accept("closed with " + JSON.readTree(frame.substring(1)).get(0));
		}
	}

}
