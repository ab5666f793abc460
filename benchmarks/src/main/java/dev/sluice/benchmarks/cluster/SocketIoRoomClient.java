package dev.sluice.benchmarks.cluster;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of Socket.IO that recovers the state of its connection. */
final class SocketIoRoomClient extends RoomClient {

	private @Nullable String pid;

	private @Nullable String offset;

	private String sid = "";

	SocketIoRoomClient(int room) {
		super(room);
	}

	@Override
	String path() {
		return "/socket.io/?EIO=4&transport=websocket&room=" + room();
	}

	@Override
	void opened(Consumer<String> connection) {
	}

	@Override
	void received(String text, Consumer<String> connection) {
		if (text.equals("2")) {
			connection.accept("3");
		}
		else if (text.startsWith("0{")) {
			connection.accept((this.pid == null) ? "40"
					: "40{\"pid\":\"%s\",\"offset\":\"%s\"}".formatted(this.pid, this.offset));
		}
		else if (text.startsWith("40{")) {
			greeted(JsonMapper.shared().readTree(text.substring(2)));
		}
		else if (text.startsWith("42[")) {
			JsonNode event = JsonMapper.shared().readTree(text.substring(2));
			this.offset = event.required(2).asString();
			take(event.required(1).asString());
		}
	}

	/** Whose session is recovered has its name again. */
	private void greeted(JsonNode session) {
		String given = session.required("sid").asString();
		if (this.pid == null) {
			joined();
		}
		else {
			back(given.equals(this.sid));
		}
		this.sid = given;
		this.pid = session.required("pid").asString();
	}

	@Override
	double backOff() {
		return ThreadLocalRandom.current().nextDouble(0.5);
	}

}
