package dev.sluice.observation;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;

import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionInfo;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.embedded.RedisServer;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Traces over two applications with real sockets. */
@Tag("redis")
@Tag("full")
class ClusterTracesTests {

	private static final SimpleTracer TRACER = new SimpleTracer();

	private static final MemoryBus BUS = new MemoryBus();

	private static RedisServer server;

	private static int port;

	@BeforeAll
	static void start() throws IOException {
		for (int attempt = 0; server == null || !server.isActive(); attempt++) {
			try (ServerSocket socket = new ServerSocket(0)) {
				port = socket.getLocalPort();
			}
			try {
				server = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
				server.start();
			}
			catch (IOException ex) {
				if (attempt == 9) {
					throw ex;
				}
			}
		}
	}

	@AfterAll
	static void stop() throws IOException {
		for (Nodes nodes : Nodes.values()) {
			nodes.close();
		}
		server.stop();
	}

	@BeforeEach
	void forget() {
		TRACER.getSpans().clear();
	}

	@ParameterizedTest
	@EnumSource
	void aTraceGoesFromAHandlerToTheClientsOfAllNodes(Nodes nodes) throws InterruptedException {
		try (SocketClient near = nodes.connect(0); SocketClient far = nodes.connect(1)) {
			near.send("{\"type\":\"say\",\"text\":\"hi\"}");
			assertThat(near.next()).contains("\"data\":\"hi\"");
			assertThat(far.next()).contains("\"data\":\"hi\"");
			await().until(() -> spans("send Member").size() == 2 && spans("publish on node").size() == 2);
			SimpleSpan handling = span("handle Member");
			SimpleSpan publishing = span("publish in cluster");
			assertThat(publishing.getParentId()).isEqualTo(handling.getSpanId());
			assertThat(publishing.getKind()).isEqualTo(Span.Kind.PRODUCER);
			assertThat(spans("publish on node")).allSatisfy((receiving) -> {
				assertThat(receiving.getParentId()).isEqualTo(publishing.getSpanId());
				assertThat(receiving.getKind()).isEqualTo(Span.Kind.CONSUMER);
			});
			assertThat(spans("send Member")).extracting(SimpleSpan::getParentId)
				.containsExactlyInAnyOrderElementsOf(
						spans("publish on node").stream().map(SimpleSpan::getSpanId).toList());
			assertThat(spans("send Member")).extracting(SimpleSpan::getTraceId).containsOnly(handling.getTraceId());
		}
	}

	@ParameterizedTest
	@EnumSource
	void whatIsAskedOfAnotherNodeBelongsToTheTraceOfWhoAsks(Nodes nodes) throws InterruptedException {
		try (SocketClient far = nodes.connect(1)) {
			SessionCluster cluster = nodes.node(0).getBean(SessionCluster.class);
			SessionInfo session = cluster.find(SessionQuery.inTopic("room")).join().sessions().get(0);
			TRACER.getSpans().clear();
			Observation caller = Observation.start("caller", nodes.node(0).getBean(ObservationRegistry.class));
			caller.scoped(() -> {
				cluster.send(SessionQuery.ofId(session.id()), "sent").join();
				cluster.close(SessionQuery.ofId(session.id()), CloseStatus.NORMAL).join();
			});
			caller.stop();
			assertThat(far.next()).isEqualTo("sent");
			await().until(() -> !spans("close on node").isEmpty() && !spans("send Member").isEmpty());
			for (String action : List.of("send", "close")) {
				assertThat(span(action + " in cluster").getParentId()).isEqualTo(span("caller").getSpanId());
				assertThat(span(action + " on node").getParentId()).isEqualTo(span(action + " in cluster").getSpanId());
			}
			assertThat(span("send Member").getParentId()).isEqualTo(span("send on node").getSpanId());
		}
	}

	private static List<SimpleSpan> spans(String name) {
		return TRACER.getSpans()
			.stream()
			.filter((span) -> name.equals(span.getName()) && span.getEndTimestamp().toEpochMilli() > 0)
			.toList();
	}

	private static SimpleSpan span(String name) {
		await().until(() -> spans(name).size() == 1);
		return spans(name).get(0);
	}

	/** Propagates what the W3C has made a standard of. */
	private record TraceParents(Tracer tracer) implements Propagator {

		private static final String NAME = "traceparent";

		@Override
		public List<String> fields() {
			return List.of(NAME);
		}

		@Override
		public <C> void inject(TraceContext context, @Nullable C carrier, Setter<C> setter) {
			setter.set(carrier, NAME, "00-" + context.traceId() + "-" + context.spanId() + "-01");
		}

		@Override
		public <C> Span.Builder extract(C carrier, Getter<C> getter) {
			String[] parts = String.valueOf(getter.get(carrier, NAME)).split("-");
			Span.Builder builder = this.tracer.spanBuilder();
			return (parts.length < 4) ? builder : builder
				.setParent(this.tracer.traceContextBuilder().traceId(parts[1]).spanId(parts[2]).sampled(true).build());
		}

	}

	/** Two applications, started when they are needed. */
	private enum Nodes {

		MEMORY, REDIS;

		private final ConfigurableApplicationContext[] nodes = new ConfigurableApplicationContext[2];

		ConfigurableApplicationContext node(int index) {
			if (this.nodes[0] == null) {
				this.nodes[0] = run();
				this.nodes[1] = run();
			}
			return this.nodes[index];
		}

		private ConfigurableApplicationContext run() {
			SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class);
			if (this == MEMORY) {
				application.initializers((context) -> context.getBeanFactory().registerSingleton("bus", BUS.connect()));
			}
			return application.run("--server.port=0", "--sluice.cluster.type=" + name().toLowerCase(Locale.ROOT),
					"--spring.data.redis.url=redis://127.0.0.1:" + port);
		}

		/** Returns a client that has joined the room, which every node knows. */
		SocketClient connect(int index) {
			SessionCluster cluster = node(1 - index).getBean(SessionCluster.class);
			await().until(() -> cluster.nodes().size() == 2);
			int before = cluster.find(SessionQuery.inTopic("room")).join().count();
			SocketClient client = new SocketClient(
					node(index).getEnvironment().getRequiredProperty("local.server.port", Integer.class), "/room");
			await().until(() -> cluster.find(SessionQuery.inTopic("room")).join().count() == before + 1);
			TRACER.getSpans().clear();
			return client;
		}

		void close() {
			for (ConfigurableApplicationContext node : this.nodes) {
				if (node != null) {
					node.close();
				}
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Member.class)
	static class Application {

		@Bean
		ObservationHandler<?> tracing() {
			Propagator propagator = new TraceParents(TRACER);
			return new ObservationHandler.FirstMatchingCompositeObservationHandler(
					new PropagatingSenderTracingObservationHandler<>(TRACER, propagator),
					new PropagatingReceiverTracingObservationHandler<>(TRACER, propagator),
					new DefaultTracingObservationHandler(TRACER));
		}

	}

	@WebSocketEndpoint(path = "/room", topics = "room")
	static class Member extends ManagedSession {

		private final SessionCluster cluster;

		Member(SessionCluster cluster) {
			this.cluster = cluster;
		}

		@OnMessage
		void say(Say message) {
			this.cluster.topic("room").publish(message.text());
		}

	}

	record Say(String text) {

	}

}
