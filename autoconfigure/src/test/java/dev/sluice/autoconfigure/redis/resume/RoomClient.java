package dev.sluice.autoconfigure.redis.resume;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;

import dev.sluice.autoconfigure.redis.resume.RoomApplication.Strange;
import dev.sluice.cluster.Delivery;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client in a room that comes back whenever its connection is lost, by the rules of
 * {@code docs/protocol.md}, and counts what is wrong with what it gets.
 */
final class RoomClient implements WebSocketLoop.Client {

	private static final int ACKNOWLEDGED = 32;

	private static final Duration ACKNOWLEDGEMENT = Duration.ofSeconds(1);

	private final WebSocketLoop loop;

	private final int room;

	private final IntSupplier ports;

	private WebSocketLoop.Connection connection;

	private volatile String id;

	private String token;

	private String at;

	private long seq;

	private int unacknowledged;

	private double[] hint;

	private long backOff;

	/** The number of the latest message of the room. */
	private volatile int latest = -1;

	private boolean gap;

	private long heardAt;

	/** Numbers that are missing where no gap was told. */
	final Queue<Integer> missing = new ConcurrentLinkedQueue<>();

	/** What else is wrong. */
	final Queue<String> wrong = new ConcurrentLinkedQueue<>();

	final Map<Integer, Integer> closes = new ConcurrentHashMap<>();

	/** When {@code direct:false} was told. */
	final Queue<Long> losses = new ConcurrentLinkedQueue<>();

	/** Direct messages, by their number. */
	final Queue<Post> posts = new ConcurrentLinkedQueue<>();

	private final Map<Integer, Boolean> direct = new ConcurrentHashMap<>();

	volatile int resumes;

	volatile int gaps;

	volatile long longestSilence;

	RoomClient(WebSocketLoop loop, int room, IntSupplier ports) {
		this.loop = loop;
		this.room = room;
		this.ports = ports;
	}

	void start() {
		this.connection = this.loop.connect(this.ports.getAsInt(), "/rooms/" + this.room, this);
	}

	int room() {
		return this.room;
	}

	/** Returns by what the session is found, or {@code null} while there is none. */
	String id() {
		return this.id;
	}

	int latest() {
		return this.latest;
	}

	/** Returns whether it is in its room. */
	boolean isJoined() {
		return this.id != null && this.at != null;
	}

	/** Returns the messages of which a node has said that they were sent. */
	List<Post> sent() {
		return this.posts.stream().filter((post) -> post.outcome != null && post.outcome.sent() == 1).toList();
	}

	boolean hasReceived(Post post) {
		return this.direct.containsKey(post.number);
	}

	void abort() {
		this.connection.abort();
	}

	/** Sends a text, unless the connection is lost. */
	void send(String text) {
		if (this.id != null) {
			this.connection.send(text);
		}
	}

	@Override
	public void opened(WebSocketLoop.Connection opened) {
		opened.send((this.token == null) ? "{\"type\":\"resume\"}"
				: "{\"type\":\"resume\",\"token\":\"%s\",\"at\":{%s},\"seq\":%d}".formatted(this.token,
						(this.at != null) ? "\"room-" + this.room + "\":\"" + this.at + '"' : "", this.seq));
	}

	@Override
	public void received(WebSocketLoop.Connection from, String text) {
		JsonNode frame = JsonMapper.shared().readTree(text);
		String type = frame.path("type").asString("");
		if (frame.has("hash") && frame.path("hash").asInt() != Strange.hash(frame.path("value"))) {
			this.wrong.add("Differs from the message that was sent: " + frame.path("text"));
		}
		if (frame.has("seq")) {
			takeDirect(frame);
		}
		else if (frame.has("topic")) {
			takeOfRoom(type, frame);
		}
		else if (type.equals("session") || type.equals("resumed")) {
			greeted(type, frame);
		}
		else if (type.equals("goodbye")) {
			this.hint = new double[] { frame.path("reconnect").path(0).asDouble(),
					frame.path("reconnect").path(1).asDouble() };
		}
	}

	/**
	 * A node that cannot reach Redis in time gives no token: the client tries another.
	 */
	private void greeted(String type, JsonNode frame) {
		if (type.equals("session") && this.token != null) {
			this.wrong.add("The session was lost: " + frame);
		}
		if (!frame.has("token")) {
			this.connection.abort();
			return;
		}
		this.token = frame.path("token").asString();
		this.backOff = 0;
		if (type.equals("resumed")) {
			this.resumes++;
			if (!frame.path("direct").asBoolean()) {
				this.losses.add(System.nanoTime());
			}
			if (this.at != null && !frame.path("recovered").path("room-" + this.room).asBoolean()) {
				this.wrong.add("The room is not recovered: " + frame);
			}
			acknowledge();
		}
		this.id = frame.path("id").asString();
	}

	private void takeDirect(JsonNode frame) {
		long number = frame.path("seq").asLong();
		if (number <= this.seq) {
			return;
		}
		this.seq = number;
		if (frame.has("text") && this.direct.put(frame.path("text").asInt(), true) != null) {
			this.wrong.add("Came twice: " + frame);
		}
		this.unacknowledged++;
		if (this.unacknowledged == ACKNOWLEDGED) {
			acknowledge();
		}
		else if (this.unacknowledged == 1) {
			this.loop.schedule(ACKNOWLEDGEMENT, () -> {
				if (this.unacknowledged > 0 && this.id != null) {
					acknowledge();
				}
			});
		}
	}

	private void acknowledge() {
		this.unacknowledged = 0;
		this.connection.send("{\"type\":\"ack\",\"seq\":" + this.seq + "}");
	}

	private void takeOfRoom(String type, JsonNode frame) {
		this.at = frame.path("at").asString(null);
		if (type.equals("gap")) {
			this.gap = true;
			this.gaps++;
		}
		if (!frame.has("text")) {
			return;
		}
		int number = frame.path("text").asInt();
		if (number <= this.latest) {
			this.wrong.add("Came twice, or late, behind " + this.latest + ": " + frame);
		}
		if (!this.gap) {
			for (int skipped = this.latest + 1; skipped < number; skipped++) {
				this.missing.add(skipped);
			}
		}
		this.gap = false;
		this.latest = Math.max(this.latest, number);
		long now = System.nanoTime();
		if (this.heardAt != 0) {
			this.longestSilence = Math.max(this.longestSilence, now - this.heardAt);
		}
		this.heardAt = now;
	}

	/** What becomes of the connection counts from now on. */
	void beginToListen() {
		this.closes.clear();
		this.heardAt = System.nanoTime();
		this.longestSilence = 0;
	}

	@Override
	public void closed(WebSocketLoop.Connection lost, int code) {
		this.id = null;
		this.closes.merge(code, 1, Integer::sum);
		double seconds;
		if (this.hint != null) {
			seconds = ThreadLocalRandom.current().nextDouble(this.hint[0], this.hint[1]);
			this.hint = null;
		}
		else {
			this.backOff = Math.min(30_000, Math.max(500, 2 * this.backOff));
			seconds = ThreadLocalRandom.current().nextDouble() * this.backOff / 1_000;
		}
		if (code == 4409) {
			this.wrong.add("Another connection has resumed the session");
		}
		this.loop.schedule(Duration.ofNanos((long) (seconds * 1e9)), this::start);
	}

	/** A direct message, and what its sender was told. */
	static final class Post {

		final int number;

		final long at = System.nanoTime();

		volatile Delivery outcome;

		Post(int number) {
			this.number = number;
		}

	}

}
