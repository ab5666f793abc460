package dev.sluice.cluster.endpoint;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.internal.ClusterSettings;
import dev.sluice.cluster.internal.DefaultSessionCluster;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.endpoint.EndpointHandler;
import dev.sluice.websocket.endpoint.SessionObjects;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.session.ManagedConnection;
import dev.sluice.websocket.settings.WebSocketSettings;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;

/** A node with an endpoint whose sessions resume; clients are stubs. */
final class ResumeNode implements AutoCloseable {

	private static final AtomicInteger NUMBERS = new AtomicInteger();

	private final ClusterBus bus;

	final WebSocketDispatcher dispatcher;

	final DefaultSessionCluster cluster;

	/** What sessions were called back for, of all connections. */
	final List<String> hooks = new CopyOnWriteArrayList<>();

	/** What is done in the turn of a session that gets a message "work". */
	volatile Runnable work = () -> {
	};

	/** What a stub does with a message, before it is sent. */
	volatile SendFault fault = (client) -> {
	};

	/** Called by the constructor of each session. */
	volatile Runnable made = () -> {
	};

	/** Called when a session opens or is resumed. */
	volatile Runnable opened = () -> {
	};

	private final SequentialLeveledTaskExecutor inbound;

	private final SequentialLeveledTaskExecutor outbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final WebSocketHandler handler;

	ResumeNode(ClusterBus bus, NanoClock clock, HistoryLimits history, ResumeSettings settings) {
		this(bus, clock, history, settings, Runnable::run, Runnable::run, WebSocketSettings.defaults());
	}

	ResumeNode(ClusterBus bus, NanoClock clock, HistoryLimits history, ResumeSettings settings, Executor workers,
			Executor sending, WebSocketSettings limits) {
		this(bus, clock, history, settings, workers, sending, limits, (builder) -> {
		}, ClusterObserver.NONE);
	}

	/**
	 * Creates a node.
	 * @param extensions adds extensions of the application
	 */
	ResumeNode(ClusterBus bus, NanoClock clock, HistoryLimits history, ResumeSettings settings, Executor workers,
			Executor sending, WebSocketSettings limits, Consumer<WebSocketDispatcher.Builder> extensions,
			ClusterObserver observer) {
		this.bus = bus;
		this.inbound = SequentialLeveledTaskExecutor.builder(workers).build();
		WebSocketDispatcher.Builder builder = WebSocketDispatcher.builder(this.inbound, this.outbound, sending)
			.control(Runnable::run)
			.clock(clock)
			.settings(limits);
		extensions.accept(builder);
		this.dispatcher = builder.build();
		this.cluster = new DefaultSessionCluster(bus, this.dispatcher, workers, clock,
				new ClusterSettings(Duration.ofSeconds(2), history, 8, PresenceSettings.OFF, settings), observer);
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		RootBeanDefinition definition = new RootBeanDefinition(Member.class, BeanDefinition.SCOPE_PROTOTYPE,
				() -> new Member(this));
		beans.registerBeanDefinition("member", definition);
		SessionObjects objects = new SessionObjects(beans, "member");
		EndpointTopics topics = EndpointTopics.of(Member.class, List.of("lobby"), List.of("/"));
		topics.start(this.cluster);
		ResumableEndpoint resumable = new ResumableEndpoint("member", this.dispatcher.context(), topics, objects);
		resumable.start(this.cluster.resumes(), 8, this.cluster::idOf);
		this.handler = EndpointHandler.ordered(Member.class, this.dispatcher.context(), resumable);
	}

	/** Returns how many queues sessions have. */
	int queues() {
		return this.inbound.snapshot(0).queues() + this.outbound.snapshot(0).queues();
	}

	/** Connects a client that says nothing yet. */
	Client connect(@Nullable String principal) {
		return connect(new Client("c" + NUMBERS.incrementAndGet(), principal));
	}

	Client connect(Client client) {
		try {
			this.handler.afterConnectionEstablished(client);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		return client;
	}

	/** Opens a new session. */
	Client open(@Nullable String principal) {
		Client client = connect(principal);
		client.say("{\"type\":\"resume\"}");
		return client;
	}

	/** Resumes what a client had. */
	Client resume(Client before) {
		Client client = connect(before.principal);
		client.knows(before);
		client.say(client.resumeFrame());
		return client;
	}

	/** Nothing is heard of the node any more, and it has told nobody. */
	void kill() {
		this.bus.close();
	}

	@Override
	public void close() {
		this.cluster.close();
	}

	/** What may happen to a message on its way. */
	@FunctionalInterface
	interface SendFault {

		void sending(Client client) throws IOException;

	}

	/** A client, and what it knows. */
	class Client extends StubSession {

		final @Nullable String principal;

		String path = "/";

		volatile @Nullable String token;

		final Map<String, String> at = new ConcurrentHashMap<>();

		volatile long seq;

		/** All frames, in their order. */
		final List<JsonNode> frames = new CopyOnWriteArrayList<>();

		volatile @Nullable CloseStatus closed;

		/** The client has gone, and the server does not know. */
		volatile boolean gone;

		Client(String id, @Nullable String principal) {
			super(id);
			this.principal = principal;
		}

		void knows(Client before) {
			this.token = before.token;
			this.at.putAll(before.at);
			this.seq = before.seq;
		}

		String resumeFrame() {
			JsonMapper mapper = JsonMapper.shared();
			return mapper.createObjectNode()
				.put("type", "resume")
				.put("token", this.token)
				.put("seq", this.seq)
				.set("at", mapper.valueToTree(this.at))
				.toString();
		}

		void say(String text) {
			try {
				ResumeNode.this.handler.handleMessage(this, new TextMessage(text));
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		void ack() {
			say("{\"type\":\"ack\",\"seq\":" + this.seq + "}");
		}

		/** The container reports that the connection was lost. */
		void lose() {
			lose(CloseStatus.NO_CLOSE_FRAME);
		}

		void lose(CloseStatus status) {
			this.gone = true;
			try {
				ResumeNode.this.handler.afterConnectionClosed(this, status);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		ManagedSession session() {
			return ResumeNode.this.dispatcher.sessions().get(getId()).orElseThrow();
		}

		List<JsonNode> frames(String type) {
			return this.frames.stream().filter((frame) -> type.equals(frame.path("type").asString(""))).toList();
		}

		/** Texts of messages, direct ones and those of topics. */
		List<String> texts() {
			return this.frames.stream()
				.filter((frame) -> frame.has("text"))
				.map((frame) -> frame.get("text").asString())
				.toList();
		}

		JsonNode first() {
			return this.frames.get(0);
		}

		@Override
		public void sendMessage(WebSocketMessage<?> message) throws IOException {
			ResumeNode.this.fault.sending(this);
			if (message instanceof TextMessage text && !this.gone) {
				receive(JsonMapper.shared().readTree(text.getPayload()));
			}
		}

		private void receive(JsonNode frame) {
			this.frames.add(frame);
			String type = frame.path("type").asString("");
			if (frame.has("seq")) {
				this.seq = Math.max(this.seq, frame.get("seq").asLong());
			}
			else if (frame.has("topic")) {
				if (frame.has("at")) {
					this.at.put(frame.get("topic").asString(), frame.get("at").asString());
				}
			}
			else if (type.equals("session") || type.equals("resumed")) {
				this.token = frame.path("token").asString(null);
				if (type.equals("session")) {
					this.at.clear();
					this.seq = 0;
				}
			}
		}

		@Override
		public @Nullable URI getUri() {
			return URI.create("ws://localhost" + this.path);
		}

		@Override
		public Map<String, Object> getAttributes() {
			Map<String, Object> attributes = super.getAttributes();
			attributes.put(ManagedConnection.PATH, this.path);
			return attributes;
		}

		@Override
		public InetSocketAddress getRemoteAddress() {
			return InetSocketAddress.createUnresolved("10.0.0.1", 1);
		}

		@Override
		public @Nullable Principal getPrincipal() {
			return (this.principal != null) ? () -> this.principal : null;
		}

		@Override
		public void close(CloseStatus status) throws IOException {
			super.close(status);
			this.closed = status;
			if (!this.gone) {
				lose(status);
			}
		}

	}

	/** The session of the endpoint. */
	static class Member extends ManagedSession {

		private final ResumeNode node;

		Member(ResumeNode node) {
			this.node = node;
			node.made.run();
		}

		@Override
		protected void onOpen() {
			this.node.hooks.add("open");
			this.node.opened.run();
		}

		@Override
		protected void onResume(Resumption resumption) {
			this.node.hooks.add("resume " + resumption.topics() + " direct " + resumption.direct() + " missed "
					+ resumption.missed() + " state " + resumption.state(String.class));
		}

		@Override
		protected void onSuspended() {
			this.node.hooks.add("suspended");
		}

		@Override
		protected void onExpired() {
			this.node.hooks.add("expired");
		}

		@Override
		protected void onClose(CloseStatus status) {
			this.node.hooks.add("close " + status.getCode());
		}

		@OnMessage("echo")
		Told echo(Told told) {
			return new Told(told.text());
		}

		@OnMessage("work")
		Told work() {
			this.node.work.run();
			return new Told("worked");
		}

	}

	record Told(String text) {
	}

}
