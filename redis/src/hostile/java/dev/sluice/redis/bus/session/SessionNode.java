package dev.sluice.redis.bus.session;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.internal.ClusterSettings;
import dev.sluice.cluster.internal.DefaultSessionCluster;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.redis.bus.RedisClusterBus;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.LivenessLimits;
import dev.sluice.websocket.settings.WebSocketSettings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;

/**
 * A node with sessions over Redis. As a process: port of the server, with
 * {@code cluster:} before it if that is one of a cluster, how many sessions join the
 * topic, how many of them a second are replaced, and the principal of one that joins the
 * topic with presence, if there is one. Each line that it reads is a command:
 * {@code load} and {@code rest} begin and end to publish, {@code post TEXT} publishes and
 * tells the outcome. It prints what each session was sent, as {@code S session frame},
 * which have joined and left, as {@code J session} and {@code L session}, what was
 * published, as {@code P position text}, and posts and their outcomes, as {@code B text},
 * {@code D text sent failed unknown nodes}, with the nodes that have answered of those
 * that the message was handed over to, and {@code E text failed}, or {@code undecided}
 * where the message may have been published, as for a publication after {@code F}.
 */
final class SessionNode implements AutoCloseable {

	static final Duration LEASE = Duration.ofMillis(2500);

	static final Duration BEAT = Duration.ofMillis(500);

	/**
	 * Between two messages of a node under load: what three of them publish in the time
	 * of a pause is less than a repeated publication is compared with.
	 */
	private static final Duration PACE = Duration.ofMillis(12);

	static final Duration TIMEOUT = Duration.ofSeconds(1);

	static final String TOPIC = "room";

	/** A payload ends with the message. */
	private static final Pattern TEXT = Pattern.compile(".*\"(\\w+)\"");

	private static final String URL = "redis://127.0.0.1:";

	private static final String CLUSTER = "cluster:";

	static final String TOPIC_WITH_PRESENCE = "hall";

	private final WebSocketDispatcher dispatcher;

	private final WebSocketHandler handler;

	private final BiConsumer<String, String> written;

	final ClusterBus bus;

	/** Messages with the nodes that they were handed over to. */
	private final Map<String, Set<String>> addressed = new ConcurrentHashMap<>();

	final DefaultSessionCluster cluster;

	SessionNode(RedisClient client, BiConsumer<String, String> written) {
		this(client, TIMEOUT, written);
	}

	SessionNode(RedisClient client, Duration timeout, BiConsumer<String, String> written) {
		this(RedisClusterBus.builder(client), timeout, written);
	}

	private SessionNode(RedisClusterBus.Builder bus, Duration timeout, BiConsumer<String, String> written) {
		this.written = written;
		this.bus = remembering(bus.timeout(timeout).lease(LEASE).beat(BEAT).build());
		SequentialLeveledTaskExecutor turns = SequentialLeveledTaskExecutor.builder(ForkJoinPool.commonPool()).build();
		this.dispatcher = WebSocketDispatcher.builder(turns, turns, ForkJoinPool.commonPool())
			.control(Runnable::run)
			.settings(withoutHeartbeat())
			.build();
		this.handler = this.dispatcher.decorate(new AbstractWebSocketHandler() {
		});
		this.cluster = new DefaultSessionCluster(this.bus, this.dispatcher, ForkJoinPool.commonPool(),
				NanoClock.system(), new ClusterSettings(timeout, new HistoryLimits(50_000, Duration.ofMinutes(5)), 10,
						new PresenceSettings(List.of(TOPIC_WITH_PRESENCE), Duration.ofSeconds(15), 100), ResumeSettings.DEFAULTS));
	}

	private ClusterBus remembering(ClusterBus bus) {
		return (ClusterBus) Proxy.newProxyInstance(ClusterBus.class.getClassLoader(), new Class<?>[] { ClusterBus.class },
				(proxy, method, arguments) -> {
					Object answer;
					try {
						answer = method.invoke(bus, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
					return method.getName().equals("publish")
							? remembered((Publication) arguments[0], (CompletableFuture<?>) answer) : answer;
				});
	}

	private CompletableFuture<?> remembered(Publication publication, CompletableFuture<?> answer) {
		Matcher text = TEXT.matcher(publication.payload());
		return !text.matches() ? answer : answer.thenApply((published) -> {
			this.addressed.put(text.group(1), ((Published) published).nodes());
			return published;
		});
	}

	/** A session of a test does not answer pings. */
	private static WebSocketSettings withoutHeartbeat() {
		WebSocketSettings defaults = WebSocketSettings.defaults();
		LivenessLimits liveness = LivenessLimits.DEFAULTS;
		return new WebSocketSettings(defaults.limits(),
				new LivenessLimits(null, liveness.message(), Duration.ofDays(1), liveness.heartbeatTimeout(), null),
				defaults.quota(), defaults.totals(), defaults.onThrottled(), defaults.typeProperty());
	}

	Topic topic() {
		return this.cluster.topic(TOPIC);
	}

	NodeSession open(String id, String principal) {
		NodeSession session = new NodeSession(id, principal, this.written);
		try {
			this.handler.afterConnectionEstablished(session);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		return session;
	}

	ManagedSession managed(NodeSession session) {
		return this.dispatcher.sessions().get(session.getId()).orElseThrow();
	}

	/** A session that has joined, however often that must be tried. */
	NodeSession join(String id) {
		NodeSession session = open(id, "user");
		while (topic().join(managed(session)).handle((at, failure) -> failure != null).join()) {
			LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
		}
		return session;
	}

	/** A session that is present. */
	void enter(String principal) {
		this.cluster.topic(TOPIC_WITH_PRESENCE).join(managed(open(principal, principal))).join();
	}

	void leave(NodeSession session) {
		try {
			this.handler.afterConnectionClosed(session, CloseStatus.NORMAL);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.cluster.close();
	}

	public static void main(String[] args) throws IOException {
		SessionNode node = new SessionNode(bus(args[0]), TIMEOUT,
				(id, frame) -> System.out.println("S " + id + ' ' + frame));
		String name = node.bus.node();
		Deque<NodeSession> sessions = new ArrayDeque<>();
		for (int index = 0; index < Integer.parseInt(args[1]); index++) {
			sessions.add(node.join(name + '-' + index));
			System.out.println("J " + name + '-' + index);
		}
		if (args.length > 3) {
			node.enter(args[3]);
		}
		System.out.println("ready");
		ConcurrentLinkedQueue<String> load = new ConcurrentLinkedQueue<>();
		run(() -> node.publish(load));
		run(() -> node.replace(sessions, load, Integer.parseInt(args[2])));
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		String command;
		while ((command = commands.readLine()) != null) {
			switch (command) {
				case "load" -> load.add(command);
				case "rest" -> load.clear();
				default -> node.post(command.substring("post ".length()));
			}
		}
	}

	private static RedisClusterBus.Builder bus(String server) {
		if (server.startsWith(CLUSTER)) {
			return RedisClusterBus.builder(RedisClusterClient.create(URL + server.substring(CLUSTER.length())));
		}
		RedisClient client = RedisClient.create(URL + server);
		client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		return RedisClusterBus.builder(client);
	}

	private static void run(Runnable action) {
		Thread thread = new Thread(action, "load");
		thread.setDaemon(true);
		thread.start();
	}

	private void publish(ConcurrentLinkedQueue<String> load) {
		for (int number = 0;; number++) {
			LockSupport.parkNanos(PACE.toNanos());
			if (load.isEmpty()) {
				continue;
			}
			String text = this.bus.node() + 'x' + number;
			if (number % 10 == 0) {
				post(text).handle((delivery, failure) -> null).join();
			}
			else {
				topic().publish(text)
					.handle((at, failure) -> (failure == null) ? "P " + at + ' ' + text : "F " + failed(text, failure))
					.thenAccept(System.out::println)
					.join();
			}
		}
	}

	private CompletableFuture<Delivery> post(String text) {
		System.out.println("B " + text);
		return topic().post(text)
			.whenComplete((delivery, failure) -> System.out.println((failure != null) ? "E " + failed(text, failure)
					: "D " + text + ' ' + delivery.sent() + ' ' + delivery.failed() + ' ' + delivery.unknown() + ' '
							+ String.join(",", answered(text, delivery))));
	}

	private Set<String> answered(String text, Delivery delivery) {
		Set<String> nodes = new HashSet<>(this.addressed.getOrDefault(text, Set.of()));
		nodes.removeAll(delivery.silentNodes());
		return nodes;
	}

	private static String failed(String text, Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		return text + ((cause instanceof BusUnavailableException unavailable && !unavailable.isUndecided()) ? " failed"
				: " undecided");
	}

	private void replace(Deque<NodeSession> sessions, ConcurrentLinkedQueue<String> load, int rate) {
		Random random = new Random(rate);
		for (int number = 0; rate > 0; number++) {
			LockSupport.parkNanos(Duration.ofSeconds(1).dividedBy(rate).toNanos());
			if (!load.isEmpty()) {
				NodeSession oldest = sessions.remove();
				if (random.nextBoolean()) {
					System.out.println("L " + oldest.getId());
					leave(oldest);
				}
				else {
					sessions.addLast(oldest);
				}
				if (sessions.size() < 5) {
					sessions.addLast(join(this.bus.node() + "-n" + number));
					System.out.println("J " + this.bus.node() + "-n" + number);
				}
			}
		}
	}

}
