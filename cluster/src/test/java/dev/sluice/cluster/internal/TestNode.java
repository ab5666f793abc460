package dev.sluice.cluster.internal;

import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.internal.feed.ByTopic;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.QuotaLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;

/** A node with sessions whose clients are stubs. */
final class TestNode implements AutoCloseable {

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final SequentialLeveledTaskExecutor outbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	final WebSocketDispatcher dispatcher;

	private final WebSocketHandler handler;

	private final Map<String, Client> clients = new ConcurrentHashMap<>();

	final FaultyBus bus;

	final DefaultSessionCluster cluster;

	TestNode(ClusterBus bus, Executor workers, NanoClock clock, Executor sending, int history) {
		this(bus, workers, clock, sending, history, PresenceSettings.OFF);
	}

	TestNode(ClusterBus bus, Executor workers, NanoClock clock, Executor sending, int history,
			PresenceSettings presence) {
		this(bus, workers, clock, sending, history, presence, QuotaLimits.NONE);
	}

	TestNode(ClusterBus bus, Executor workers, NanoClock clock, Executor sending, int history,
			PresenceSettings presence, Record limits) {
		this(bus, workers, clock, sending, history, presence, limits, ClusterObserver.NONE, false);
	}

	TestNode(ClusterBus bus, Executor workers, NanoClock clock, Executor sending, int history,
			PresenceSettings presence, Record limits, ClusterObserver observer, boolean publishedLocally) {
		this.bus = new FaultyBus(bus);
		this.dispatcher = WebSocketDispatcher.builder(this.inbound, this.outbound, sending)
			.control(Runnable::run)
			.settings(TestSettings.of(limits))
			.build();
		this.handler = this.dispatcher.decorate(new AbstractWebSocketHandler() {
		});
		this.cluster = new DefaultSessionCluster(this.bus, this.dispatcher, workers, clock,
				new ClusterSettings(Duration.ofSeconds(2),
						new ByTopic<>(new HistoryLimits(history, Duration.ofMinutes(5)),
								Map.of("short-*", new HistoryLimits(1, Duration.ofMinutes(5)))),
						3, presence, ResumeSettings.DEFAULTS, publishedLocally),
				observer);
	}

	Client open(String id, @Nullable String principal) {
		Client client = new Client(id, principal);
		try {
			this.handler.afterConnectionEstablished(client);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		client.session = this.dispatcher.sessions().get(id).orElse(null);
		this.clients.put(id, client);
		return client;
	}

	@Override
	public void close() {
		this.cluster.close();
	}

	/** A client of this node, and its session. */
	final class Client extends StubSession {

		private final @Nullable Principal principal;

		@Nullable private ManagedSession session;

		Client(String id, @Nullable String principal) {
			super(id);
			this.principal = (principal != null) ? () -> principal : null;
		}

		ManagedSession session() {
			ManagedSession present = this.session;
			if (present == null) {
				throw new IllegalStateException("not open");
			}
			return present;
		}

		String clusterId() {
			return TestNode.this.cluster.idOf(session());
		}

		@Override
		public @Nullable Principal getPrincipal() {
			return this.principal;
		}

		/** The client goes. */
		void leave() {
			try {
				TestNode.this.handler.afterConnectionClosed(this, CloseStatus.NORMAL);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		/** The container reports what it was told. */
		@Override
		public void close(CloseStatus status) throws IOException {
			super.close(status);
			leave();
		}

	}

}
