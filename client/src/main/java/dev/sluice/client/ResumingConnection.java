package dev.sluice.client;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;

import dev.sluice.client.CallbackQueue.Callback;
import dev.sluice.client.Timers.Kind;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The connections of one client, one after another, and the session that they carry. */
final class ResumingConnection implements Connection.Events {

	/*
	 * All state is guarded by the lock. Events, timers and calls of the user enter one
	 * after another, and listeners are called after the lock is released. Events count
	 * only if they come from the latest connection. A received frame is in the queue or
	 * has been handled, and its position is reported to the server, so it is handled
	 * once, after the frames before it. With a store, only stored frames are
	 * acknowledged, by an "ack" or a "resume". This includes losses that a greeting
	 * reports, until the listener has been called. A new session drops the messages of
	 * the previous one; a message that is being handled advances the positions of its own
	 * session only. Attacked by ClientHistoryTests and ClientSocketsTests.
	 */

	private static final int ENDS = 1000;

	/** Code of a close after which the session may be resumed. */
	private static final int RECONNECTS = 4410;

	private static final int ACK_MESSAGES = 32;

	private static final Duration ACK_DELAY = Duration.ofSeconds(1);

	private static final int MAX_UNSENT = 1000;

	private final Object lock = new Object();

	private final ClientOptions options;

	private final Timers timers;

	private final BackOff backOff;

	private final CallbackQueue callbacks;

	private final SessionStorage storage;

	private ClientState state = ClientState.WAITING;

	private @Nullable SessionPositions session;

	private @Nullable Connection connection;

	private int lastCode;

	private int unacknowledged;

	/** Whether the queue was full, so that the next connection waits for room. */
	private boolean full;

	ResumingConnection(ClientOptions options) {
		this.options = options;
		this.timers = new Timers(options.scheduler(), this::enter);
		this.backOff = new BackOff(options.random());
		this.callbacks = new CallbackQueue(options.executor(), this::report);
		this.storage = new SessionStorage(options.store(), this::report);
	}

	void start() {
		enter(() -> {
			load();
			dial();
		});
	}

	ClientState state() {
		synchronized (this.lock) {
			return this.state;
		}
	}

	boolean send(Object message) {
		JsonNode json = this.options.jsonMapper().valueToTree(message);
		if (!json.isObject()) {
			throw new IllegalArgumentException("'message' must become a JSON object, not " + json.getNodeType());
		}
		String type = json.path("type").asString("");
		if (type.equals("resume") || type.equals("ack")) {
			throw new IllegalArgumentException("'type' is one of the protocol: " + type);
		}
		String text = json.toString();
		synchronized (this.lock) {
			Connection open = this.connection;
			if (open == null || !open.isGreeted() || open.unsent() >= MAX_UNSENT) {
				return false;
			}
			open.send(text);
			return true;
		}
	}

	void reconnect() {
		enter(() -> {
			if (this.state != ClientState.CLOSED) {
				leave(RECONNECTS);
				dial();
			}
		});
	}

	void suspend() {
		enter(() -> {
			if (this.state != ClientState.CLOSED) {
				save();
				leave(RECONNECTS);
				this.callbacks.dropMessages();
				change(ClientState.CLOSED, RECONNECTS, "", null);
			}
		});
	}

	void close() {
		enter(() -> {
			if (this.state != ClientState.CLOSED) {
				leave(ENDS);
				end(ENDS, "");
			}
		});
	}

	/** Runs an action under the lock, and then calls the listener. */
	private void enter(Runnable action) {
		synchronized (this.lock) {
			action.run();
		}
		try {
			this.callbacks.drain();
		}
		catch (RejectedExecutionException ex) {
			report(ex);
			synchronized (this.lock) {
				if (this.state != ClientState.CLOSED) {
					leave(RECONNECTS);
					this.state = ClientState.CLOSED;
				}
			}
		}
	}

	private void dial() {
		this.full = false;
		Connection next = new Connection(this, this.options.scheduler());
		this.connection = next;
		this.timers.schedule(Kind.DEADLINE, this.options.handshakeTimeout(),
				() -> lost(Connection.ABNORMAL, "The session was not opened in time", Duration.ZERO));
		change(ClientState.CONNECTING, 0, "", null);
		try {
			this.options.dialer().apply(next).whenComplete((socket, failure) -> {
				if (failure != null) {
					rejected(next, failure);
				}
			});
		}
		catch (RuntimeException ex) {
			rejected(next, ex);
		}
	}

	private void rejected(Connection from, Throwable failure) {
		enter(() -> {
			if (this.connection == from) {
				Throwable cause = (failure instanceof CompletionException && failure.getCause() != null)
						? failure.getCause() : failure;
				report(cause);
				lost(Connection.ABNORMAL, "The handshake failed", Frames.retryAfter(cause));
			}
		});
	}

	@Override
	public void opened(Connection from) {
		enter(() -> {
			if (this.connection == from) {
				introduce(from);
			}
		});
	}

	private void introduce(Connection from) {
		ObjectNode resume = JsonMapper.shared().createObjectNode().put("type", "resume");
		SessionPositions known = this.session;
		if (known != null && known.token() != null) {
			from.token(known.token());
			save(); // the positions in "resume" acknowledge messages
			known.writeReceived(resume);
		}
		from.send(resume.toString());
	}

	@Override
	public void received(Connection from, String text) {
		enter(() -> {
			if (this.connection == from) {
				receive(from, text);
			}
		});
	}

	private void receive(Connection from, String text) {
		JsonNode frame = Frames.parse(text);
		String type = (frame != null) ? frame.path("type").asString("") : "";
		if (frame == null) {
			report(new IllegalStateException("A frame of the server is not a JSON object"));
			lost(Connection.ABNORMAL, "A frame cannot be read", Duration.ZERO);
		}
		else if (from.isGreeted() && this.session != null && (frame.has("seq") || frame.has("topic"))) {
			take(this.session, new ClientMessage(frame));
		}
		else if (type.equals("goodbye")) {
			from.hint(Frames.reconnectHint(frame));
			this.timers.schedule(Kind.DEADLINE, this.options.handshakeTimeout(),
					() -> lost(Connection.ABNORMAL, "The node stops", Duration.ZERO));
		}
		else if (!from.isGreeted()) {
			greet(from, type, frame);
		}
	}

	/**
	 * Handles the first frame. A new session without "rejected" did not wait for
	 * "resume": 4408 follows, and the token stays valid.
	 */
	private void greet(Connection from, String type, JsonNode frame) {
		String token = frame.path("token").asString(null);
		if (type.equals("resumed") && from.token() != null && this.session != null) {
			this.session.resume(token, Frames.recovered(frame).keySet(), Frames.direct(frame));
			greeted(from);
			acknowledge();
			notifyGreeting(this.session, frame);
		}
		else if (type.equals("session") && (from.token() == null || frame.has("rejected"))) {
			this.callbacks.dropMessages();
			this.session = new SessionPositions(token);
			greeted(from);
			notifyGreeting(this.session, frame);
		}
	}

	/** Calls the listener for a greeting, including pending news of earlier ones. */
	private void notifyGreeting(SessionPositions of, JsonNode frame) {
		Runnable event = Frames.greeting(frame, of.pendingNews(), this.options.listener());
		String token = of.token();
		this.callbacks.add(Callback.of(event, () -> enter(() -> {
			if (of.notified(token) && this.session == of && this.state != ClientState.CLOSED) {
				save();
			}
		})));
	}

	private void greeted(Connection from) {
		from.greet();
		this.backOff.reset();
		this.unacknowledged = 0;
		this.timers.cancel(Kind.DEADLINE);
		save(); // before the first frame after "resumed", which invalidates the previous
				// token
		schedulePing(from);
		change(ClientState.OPEN, 0, "", null);
	}

	private void schedulePing(Connection from) {
		this.timers.schedule(Kind.PING, this.options.pingInterval(), () -> {
			if (from.ping()) {
				schedulePing(from);
			}
			else {
				lost(Connection.ABNORMAL, "The server does not answer", Duration.ZERO);
			}
		});
	}

	/** Handles a frame with a number or a topic. */
	private void take(SessionPositions of, ClientMessage message) {
		if (this.callbacks.messages() >= this.options.queueCapacity()) {
			leave(RECONNECTS);
			this.full = true;
			change(ClientState.WAITING, RECONNECTS, "Too many messages wait", null);
			return;
		}
		JsonNode json = message.json();
		OptionalLong number = message.number();
		if (number.isPresent()) {
			if (of.receive(number.getAsLong(), json)) {
				addMessage(of, message);
				acknowledgeSoon();
			}
			return;
		}
		String topic = json.path("topic").asString("");
		String position = json.path("at").asString(null);
		of.receive(topic, position);
		switch (message.type()) {
			case "joined" -> add(of, message, true, () -> null);
			case "gap" -> {
				TopicGap gap = new TopicGap(topic, position);
				add(of, message, false, () -> this.options.listener().onGap(gap));
			}
			default -> addMessage(of, message);
		}
	}

	private void addMessage(SessionPositions of, ClientMessage message) {
		boolean early = this.options.delivery() == Delivery.AT_MOST_ONCE;
		add(of, message, early, () -> this.options.listener().onMessage(message));
	}

	private void add(SessionPositions of, ClientMessage message, boolean early, CallbackQueue.Call call) {
		Runnable handle = () -> enter(() -> handled(of, message));
		Runnable proceed = () -> enter(this::proceed);
		this.callbacks.add(new Callback(true, early ? handle : proceed, call, early ? proceed : handle));
	}

	private void handled(SessionPositions of, ClientMessage message) {
		JsonNode json = message.json();
		message.number()
			.ifPresentOrElse(of::handle,
					() -> of.handle(json.path("topic").asString(""), json.path("at").asString(null)));
		if (this.session == of) {
			save();
		}
		proceed();
	}

	/** Reconnects after a connection was left because the queue was full. */
	private void proceed() {
		if (this.full && this.callbacks.messages() <= this.options.queueCapacity() / 2) {
			dial();
		}
	}

	private void acknowledgeSoon() {
		if (++this.unacknowledged >= ACK_MESSAGES) {
			save();
			acknowledge();
		}
		else if (!this.timers.isScheduled(Kind.ACK)) {
			this.timers.schedule(Kind.ACK, ACK_DELAY, () -> {
				save();
				acknowledge();
			});
		}
	}

	private void acknowledge() {
		this.timers.cancel(Kind.ACK);
		this.unacknowledged = 0;
		if (this.connection != null && this.session != null) {
			ObjectNode ack = JsonMapper.shared().createObjectNode();
			this.connection.send(ack.put("type", "ack").put("seq", this.session.number()).toString());
		}
	}

	@Override
	public void lost(Connection from, int code, String reason) {
		enter(() -> {
			if (this.connection == from) {
				lost(code, reason, Duration.ZERO);
			}
		});
	}

	private void lost(int code, String reason, Duration atLeast) {
		Connection last = this.connection;
		if (last == null) {
			return;
		}
		leave(RECONNECTS);
		CloseMeaning meaning = CloseMeaning.of(code);
		if (!last.isGreeted() && last.token() != null && (code == 1008 || code == 1009)) {
			// The server rejects the number of positions: only a new session can connect.
			this.session = null;
			save();
		}
		else if (meaning == CloseMeaning.ENDED) {
			end(code, reason);
			return;
		}
		boolean atOnce = meaning == CloseMeaning.LATE && CloseMeaning.of(this.lastCode) != meaning;
		Duration delay = atOnce ? Duration.ZERO : this.backOff.next(last.hint(), last.isGreeted()).plus(atLeast);
		this.lastCode = code;
		this.timers.schedule(Kind.RETRY, delay, this::dial);
		change(ClientState.WAITING, code, reason, delay);
	}

	private void leave(int code) {
		Connection last = this.connection;
		this.connection = null;
		this.full = false;
		this.timers.cancelAll();
		if (last != null) {
			last.leave(code);
		}
	}

	private void end(int code, String reason) {
		this.session = null;
		save();
		this.callbacks.dropMessages();
		change(ClientState.CLOSED, code, reason, null);
	}

	private void change(ClientState next, int code, String reason, @Nullable Duration delay) {
		if (this.state != next) {
			this.state = next;
			StateChange change = new StateChange(next, code, reason, delay);
			this.callbacks.add(Callback.of(() -> this.options.listener().onStateChange(change)));
		}
	}

	private void load() {
		SessionPositions known = this.storage.load();
		if (known != null) {
			this.session = known;
			known.waiting().forEach((message) -> addMessage(known, new ClientMessage(message)));
		}
	}

	private void save() {
		this.storage.save(this.session);
	}

	private void report(Throwable error) {
		try {
			this.options.listener().onError(error);
		}
		catch (RuntimeException ex) {
			System.getLogger(ClientListener.class.getName()).log(System.Logger.Level.ERROR, "A listener failed", ex);
		}
	}

}
