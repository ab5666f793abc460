package dev.sluice.benchmarks.cluster;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client by the rules of {@code docs/protocol.md}. */
final class SluiceRoomClient extends RoomClient {

	private @Nullable String token;

	private @Nullable String at;

	private boolean greeted;

	private JsonNode hint = JsonMapper.shared().createArrayNode();

	SluiceRoomClient(int room) {
		super(room);
	}

	@Override
	String path() {
		return "/rooms/" + room();
	}

	@Override
	void opened(Consumer<String> connection) {
		this.greeted = false;
		connection.accept((this.token == null) ? "{\"type\":\"resume\"}"
				: "{\"type\":\"resume\",\"token\":\"%s\",\"at\":{%s},\"seq\":0}".formatted(this.token,
						(this.at != null) ? "\"room-" + room() + "\":\"" + this.at + '"' : ""));
	}

	@Override
	void received(String text, Consumer<String> connection) {
		JsonNode frame = JsonMapper.shared().readTree(text);
		if (!this.greeted) {
			greeted(frame, connection);
		}
		else if (frame.has("topic")) {
			this.at = frame.path("at").asString(null);
			if (frame.has("data")) {
				take(frame.required("data").asString());
			}
			else if (!isJoined()) {
				joined();
			}
		}
		else if (frame.has("reconnect")) {
			this.hint = frame.required("reconnect");
		}
	}

	private void greeted(JsonNode frame, Consumer<String> connection) {
		this.greeted = true;
		boolean resumed = frame.required("type").asString().equals("resumed");
		if (resumed) {
			connection.accept("{\"type\":\"ack\",\"seq\":0}");
		}
		if (this.token != null) {
			back(resumed);
		}
		this.token = frame.path("token").asString(null);
	}

	@Override
	double backOff() {
		double least = this.hint.path(0).asDouble(0);
		double most = this.hint.path(1).asDouble(0.5);
		this.hint = JsonMapper.shared().createArrayNode();
		return ThreadLocalRandom.current().nextDouble(least, most);
	}

}
