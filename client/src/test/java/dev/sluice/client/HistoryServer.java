package dev.sluice.client;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

import dev.sluice.test.SettableClock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The server's side of the protocol, which loses, delays, repeats and forgets by a seed,
 * and checks what the client names.
 */
final class HistoryServer {

	static final List<String> TOPICS = List.of("red", "blue");

	private static final int KEPT = 40;

	final SettableClock clock = new SettableClock();

	final RandomGenerator random;

	final Map<String, Topic> topics = new TreeMap<>();

	final List<Session> sessions = new ArrayList<>();

	private final Set<String> forgotten = new HashSet<>();

	@Nullable Line line;

	private int tokens;

	/**
	 * The number of direct messages that were sent, which no other has, as numbers may.
	 */
	private int direct;

	boolean calm;

	HistoryServer(RandomGenerator random) {
		this.random = random;
		TOPICS.forEach((name) -> this.topics.put(name, new Topic()));
	}

	Session latest() {
		return this.sessions.get(this.sessions.size() - 1);
	}

	boolean chance(double probability) {
		return !this.calm && this.random.nextDouble() < probability;
	}

	Duration upTo(int millis) {
		return Duration.ofNanos((long) (this.random.nextDouble() * millis * 1_000_000));
	}

	CompletionStage<WebSocket> accept(WebSocket.Listener listener, BooleanSupplier alive) {
		CompletableFuture<WebSocket> opened = new CompletableFuture<>();
		Line next = new Line(listener, alive);
		next.later(() -> {
			if (chance(0.3)) {
				next.open = false;
				opened.completeExceptionally(new IllegalStateException("rejected"));
				return;
			}
			listener.onOpen(next);
			opened.complete(next);
		});
		return opened;
	}

	private void hear(Line from, JsonNode frame) {
		if (from.first) {
			from.first = false;
			assertThat(frame.path("type").asString()).isEqualTo("resume");
			resume(from, frame);
			return;
		}
		Session session = from.session;
		assertThat(session).as("a frame before the greeting").isNotNull();
		session.previous = null;
		session.lost = false;
		assertThat(frame.path("type").asString()).isEqualTo("ack");
		long number = frame.path("seq").asLong();
		assertThat(number).as("acknowledged")
			.isGreaterThanOrEqualTo(session.acknowledged)
			.isLessThanOrEqualTo(session.arrived);
		session.acknowledge(number);
	}

	private void resume(Line line, JsonNode request) {
		if (chance(0.15)) {
			line.say(object("goodbye").set("reconnect", JsonMapper.shared().valueToTree(List.of(0, 2))));
			line.later(() -> cut(line, 1001));
			return;
		}
		String token = request.path("token").asString(null);
		Session session = this.sessions.stream()
			.filter((known) -> token != null && (token.equals(known.token) || token.equals(known.previous)))
			.findFirst()
			.orElse(null);
		if (session == null || chance(0.05)) {
			assertThat(token == null || session != null || this.forgotten.contains(token)).as("named " + token)
				.isTrue();
			if (session != null) {
				forget(session);
			}
			begin(line, token != null);
			return;
		}
		if (session.line != null) {
			cut(session.line, 4409);
		}
		session.previous = token;
		session.token = "t" + ++this.tokens;
		attach(line, session);
		goOn(line, session, request);
	}

	private void goOn(Line line, Session session, JsonNode request) {
		long received = request.path("seq").asLong();
		assertThat(received).as("named").isBetween(session.acknowledged, session.arrived);
		boolean complete = session.dropped <= received && !session.lost;
		session.nodeless = false;
		List<Direct> again = session.kept.stream()
			.filter((message) -> message.number() > received || chance(0.5))
			.toList();
		session.acknowledge(received);
		session.last = Math.max(session.last, received);
		ObjectNode resumed = object("resumed").put("id", "n").put("token", session.token).put("window", 120);
		ObjectNode recovered = resumed.putObject("recovered");
		List<Runnable> frames = new ArrayList<>();
		this.topics.forEach((name, topic) -> {
			JsonNode named = request.path("at").path(name);
			int position = named.isMissingNode() ? session.joined.get(name) : number(named.asString());
			assertThat(position).as("named of " + name)
				.isLessThanOrEqualTo(Math.max(session.reached.get(name), session.joined.get(name)));
			recovered.put(name, position >= topic.first - 1);
			int next = position + 1;
			if (position < topic.first - 1) {
				boolean known = this.random.nextDouble() < 0.7;
				next = known ? topic.first + this.random.nextInt(topic.last - topic.first + 2) : topic.last + 1;
				next = Math.max(next, session.gaps.getOrDefault(name, 0) + 1);
				int gap = next - 1;
				ObjectNode frame = object("gap").put("topic", name);
				if (known) {
					frame.put("at", gap + ".x");
				}
				frames.add(() -> line.say(frame, () -> {
					session.gaps.put(name, gap);
					session.reached.merge(name, gap, Math::max);
				}));
			}
			for (int n = next; n <= topic.last; n++) {
				int number = n;
				frames.add(() -> say(session, name, number));
			}
		});
		line.say(resumed.put("direct", complete));
		frames.forEach(Runnable::run);
		again.forEach((message) -> say(session, message));
	}

	private void begin(Line line, boolean rejected) {
		Session session = new Session(this.sessions.size(), "t" + ++this.tokens);
		this.topics.forEach((name, topic) -> {
			session.joined.put(name, topic.last);
			session.reached.put(name, 0);
		});
		this.sessions.add(session);
		attach(line, session);
		ObjectNode greeting = object("session").put("id", "" + session.number)
			.put("token", session.token)
			.put("window", 120);
		if (rejected) {
			greeting.put("rejected", "expired");
		}
		line.say(greeting);
		session.joined.forEach((name, at) -> line.say(object("joined").put("topic", name).put("at", at + ".x"),
				() -> session.reached.merge(name, at, Math::max)));
	}

	private void forget(Session session) {
		this.forgotten.add(session.token);
		if (session.previous != null) {
			this.forgotten.add(session.previous);
		}
		session.token = "";
		session.previous = null;
		if (session.line != null) {
			cut(session.line, 4409);
		}
	}

	private void attach(Line line, Session session) {
		line.session = session;
		session.line = line;
		this.line = line;
	}

	void publish(String name) {
		Topic topic = this.topics.get(name);
		topic.last++;
		if (!this.sessions.isEmpty()) {
			say(latest(), name, topic.last);
		}
	}

	private void say(Session session, String topic, int number) {
		if (session.line != null) {
			session.line.say(object("said").put("topic", topic).put("at", number + ".x"),
					() -> session.reached.merge(topic, number, Math::max));
		}
	}

	void post() {
		if (this.sessions.isEmpty() || latest().token.isEmpty() || latest().nodeless) {
			return;
		}
		Session session = latest();
		Direct message = new Direct(++session.last, ++this.direct);
		session.kept.add(message);
		session.posted.add(message.id());
		if (session.kept.size() > KEPT) {
			Direct dropped = session.kept.remove();
			session.dropped = dropped.number();
			session.droppedId = dropped.id();
		}
		say(session, message);
	}

	private void say(Session session, Direct message) {
		if (session.line != null) {
			session.line.say(object("receipt").put("id", message.id()).put("seq", message.number()),
					() -> session.arrived = Math.max(session.arrived, message.number()));
		}
	}

	/** The node is killed: direct messages and their numbers are lost. */
	void kill() {
		if (this.sessions.isEmpty()) {
			return;
		}
		Session session = latest();
		if (session.line != null) {
			cut(session.line, 1006);
		}
		session.kept.clear();
		session.last = 0;
		session.dropped = 0;
		session.lost = true;
		session.nodeless = true;
		session.droppedId = this.direct;
	}

	void trim(String name) {
		Topic topic = this.topics.get(name);
		topic.first += this.random.nextInt(topic.last - topic.first + 2);
	}

	void cut(Line line, int code) {
		if (!line.open) {
			return;
		}
		line.open = false;
		if (line.session != null && line.session.line == line) {
			line.session.line = null;
		}
		this.clock.schedule(() -> {
			if (line.alive.getAsBoolean() && !line.halfOpen) {
				line.listener.onClose(line, code, "");
			}
		}, upTo(50));
	}

	static int number(String position) {
		return Integer.parseInt(position.substring(0, position.indexOf('.')));
	}

	private static ObjectNode object(String type) {
		return JsonMapper.shared().createObjectNode().put("type", type);
	}

	static final class Topic {

		int first = 1;

		int last;

	}

	/**
	 * A direct message.
	 *
	 * @param number its number, which is given again behind a loss
	 * @param id what no other has
	 */
	record Direct(long number, int id) {
	}

	static final class Session {

		final int number;

		/** Where it goes on for a client that names nothing, whatever gaps were told. */
		final Map<String, Integer> joined = new TreeMap<>();

		/** The places of the latest gaps that have arrived. */
		final Map<String, Integer> gaps = new TreeMap<>();

		/** What has arrived at the client, by topics. */
		private final Map<String, Integer> reached = new TreeMap<>();

		private final Deque<Direct> kept = new ArrayDeque<>();

		final List<Integer> posted = new ArrayList<>();

		private String token;

		private @Nullable String previous;

		private @Nullable Line line;

		private long last;

		private long arrived;

		private long acknowledged;

		private long dropped;

		private boolean lost;

		/** Whether the node that had it was killed, and no other has it yet. */
		private boolean nodeless;

		/** The latest of the direct messages that may be lost. */
		int droppedId;

		private Session(int number, String token) {
			this.number = number;
			this.token = token;
		}

		private void acknowledge(long received) {
			this.acknowledged = received;
			this.kept.removeIf((message) -> message.number() <= received);
		}

	}

	/** A connection. Frames arrive in order, after a random time, or not at all. */
	final class Line implements WebSocket {

		private final Listener listener;

		private final BooleanSupplier alive;

		private long inFlight;

		private boolean first = true;

		private boolean open = true;

		boolean halfOpen;

		private @Nullable Session session;

		private Line(Listener listener, BooleanSupplier alive) {
			this.listener = listener;
			this.alive = alive;
		}

		private void later(Runnable action) {
			SettableClock time = HistoryServer.this.clock;
			this.inFlight = Math.max(this.inFlight + 1, time.nanoTime() + upTo(120).toNanos());
			time.schedule(() -> {
				if (this.open && !this.halfOpen && this.alive.getAsBoolean()) {
					action.run();
				}
			}, Duration.ofNanos(this.inFlight - time.nanoTime()));
		}

		void say(JsonNode frame) {
			say(frame, () -> {
			});
		}

		private void say(JsonNode frame, Runnable arrived) {
			later(() -> {
				arrived.run();
				this.listener.onText(this, frame.toString(), true);
			});
		}

		@Override
		public CompletableFuture<WebSocket> sendText(CharSequence data, boolean last) {
			if (this.halfOpen) {
				return CompletableFuture.completedFuture(this);
			}
			if (chance(0.02)) {
				cut(this, 1006);
				return CompletableFuture.completedFuture(this);
			}
			HistoryServer.this.clock.schedule(() -> {
				if (this.open) {
					hear(this, JsonMapper.shared().readTree(data.toString()));
				}
			}, Duration.ofNanos(1));
			return CompletableFuture.completedFuture(this);
		}

		@Override
		public CompletableFuture<WebSocket> sendBinary(ByteBuffer data, boolean last) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<WebSocket> sendPing(ByteBuffer message) {
			later(() -> this.listener.onPong(this, message));
			return CompletableFuture.completedFuture(this);
		}

		@Override
		public CompletableFuture<WebSocket> sendPong(ByteBuffer message) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<WebSocket> sendClose(int code, String reason) {
			assertThat(code).isEqualTo(4410);
			cut(this, 1005);
			return CompletableFuture.completedFuture(this);
		}

		@Override
		public void request(long count) {
		}

		@Override
		public String getSubprotocol() {
			return "";
		}

		@Override
		public boolean isOutputClosed() {
			return !this.open;
		}

		@Override
		public boolean isInputClosed() {
			return !this.open;
		}

		@Override
		public void abort() {
			cut(this, 1006);
		}

	}

}
