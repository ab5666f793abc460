package dev.sluice.autoconfigure.redis.resume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;

import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.Topic;
import dev.sluice.test.trial.HostileValues;
import tools.jackson.core.JacksonException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Clients in rooms that come back by themselves, and a load of numbered messages for the
 * rooms and for single clients, against which is compared what each client got.
 */
final class RoomTrial implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	/** Maximum time from the server's socket to the client. */
	private static final Duration ARRIVAL = Duration.ofSeconds(30);

	private final RoomApplication publisher;

	private final int rooms;

	private final WebSocketLoop loop = new WebSocketLoop();

	private final List<RoomClient> clients = new ArrayList<>();

	/** The ports at which clients find a node. */
	private final List<Integer> ports = new CopyOnWriteArrayList<>();

	private final AtomicInteger turn = new AtomicInteger();

	private final AtomicInteger posts = new AtomicInteger();

	private final ScheduledExecutorService load = Executors.newScheduledThreadPool(2);

	/** The numbers that were published, by room. */
	private final Map<Integer, Set<Integer>> published = new ConcurrentHashMap<>();

	private final Map<Integer, AtomicInteger> next = new ConcurrentHashMap<>();

	private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

	/** Inputs that were rejected at the call, by the first words of their errors. */
	private final Map<String, Integer> rejected = new ConcurrentHashMap<>();

	private IntFunction<Object> contents = RoomApplication.Text::new;

	/**
	 * Connects clients, and waits until all are in their rooms.
	 * @param publisher is neither killed nor stopped
	 */
	RoomTrial(RoomApplication publisher, int rooms, int clients, Integer... ports) {
		this.publisher = publisher;
		this.rooms = rooms;
		this.ports.addAll(List.of(ports));
		for (int room = 0; room < rooms; room++) {
			this.published.put(room, ConcurrentHashMap.newKeySet());
			this.next.put(room, new AtomicInteger());
		}
		for (int number = 0; number < clients; number++) {
			RoomClient client = new RoomClient(this.loop, number % rooms, this::nextPort);
			this.clients.add(client);
			this.loop.execute(client::start);
		}
		awaitAll("in its room", RoomClient::isJoined);
	}

	private int nextPort() {
		List<Integer> present = List.copyOf(this.ports);
		return present.get(this.turn.getAndIncrement() % present.size());
	}

	private void awaitAll(String state, Predicate<RoomClient> condition) {
		await().atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			.untilAsserted(() -> assertThat(this.clients.stream().filter(condition.negate()).count())
				.as("Clients that are not " + state)
				.isZero());
	}

	/** Clients go to these nodes from now on. */
	void balance(Integer... present) {
		this.ports.addAll(List.of(present));
		this.ports.retainAll(List.of(present));
	}

	/** Makes messages contain hostile values, and clients send such values. */
	void attack(HostileValues values, Duration pace) {
		this.contents = (number) -> RoomApplication.Strange.of(number, values.value());
		this.load.scheduleAtFixedRate(() -> {
			RoomClient client = this.clients.get(values.next(this.clients.size()));
			String text = HostileValues.utf8(values.text(4_000));
			String json = values.oneIn(2) ? text
					: "{\"type\":\"%s\",\"v\":%s".formatted(values.next(10), "[".repeat(values.next(2_000)));
			this.loop.execute(() -> client.send(json));
		}, 0, pace.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Begins to publish in all rooms, and to send to single clients.
	 * @param pace the time between two messages of a room
	 * @param postPace the time between two messages to a client
	 */
	void load(Duration pace, Duration postPace) {
		this.loop.execute(() -> this.clients.forEach(RoomClient::beginToListen));
		for (int room = 0; room < this.rooms; room++) {
			int number = room;
			this.load.scheduleAtFixedRate(() -> publish(number), pace.toNanos() * room / this.rooms, pace.toNanos(),
					TimeUnit.NANOSECONDS);
		}
		this.load.scheduleAtFixedRate(this::post, 0, postPace.toNanos(), TimeUnit.NANOSECONDS);
	}

	/** One at a time in a room, so that the numbers are in the order of the room. */
	private void publish(int room) {
		int number = this.next.get(room).getAndIncrement();
		Topic topic = this.publisher.cluster().topic("room-" + room);
		try {
			accepted(number, topic::publish).join();
			this.published.get(room).add(number);
		}
		catch (RuntimeException ex) {
			this.failures.add(ex);
		}
	}

	/** Sends the content of a number or, if it is rejected at the call, a plain text. */
	private <T> CompletableFuture<T> accepted(int number, Function<Object, CompletableFuture<T>> sender) {
		CompletableFuture<T> answer;
		try {
			answer = sender.apply(this.contents.apply(number));
		}
		catch (IllegalArgumentException | JacksonException ex) {
			answer = CompletableFuture.failedFuture(ex);
		}
		return answer.exceptionallyCompose((failure) -> {
			Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
			if (cause instanceof IllegalArgumentException || cause instanceof JacksonException) {
				this.rejected.merge(cause.getMessage().replaceAll("[^A-Za-z' ].*", ""), 1, Integer::sum);
				return sender.apply(new RoomApplication.Text(number));
			}
			return CompletableFuture.failedFuture(failure);
		});
	}

	private void post() {
		RoomClient client = this.clients.get(ThreadLocalRandom.current().nextInt(this.clients.size()));
		String id = client.id();
		if (id != null) {
			RoomClient.Post post = new RoomClient.Post(this.posts.getAndIncrement());
			client.posts.add(post);
			accepted(post.number, (content) -> this.publisher.cluster().post(SessionQuery.ofId(id), content))
				.whenComplete((delivery, failure) -> {
					post.outcome = delivery;
					if (failure != null) {
						this.failures.add(failure);
					}
				});
		}
	}

	/** Ends all connections, as clients do whose network is lost. */
	void abort() {
		this.loop.execute(() -> this.clients.forEach(RoomClient::abort));
	}

	/** Waits until each client has resumed so often. */
	void awaitResumes(int times) {
		awaitAll("back", (client) -> client.resumes >= times && client.id() != null);
	}

	/** Waits until the sessions that were at a node are at another. */
	void awaitResumes() {
		awaitAll("back", (client) -> client.id() != null);
	}

	/** Ends the load, and waits until all clients have all of it. */
	void rest() throws InterruptedException {
		this.load.shutdown();
		assertThat(this.load.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
		awaitAll("up to date", (client) -> client.latest() == this.next.get(client.room()).get() - 1);
	}

	/** Holds for what clients of nodes that were killed must find. */
	void assertNothingIsMissingWithoutAWord() {
		assertThat(this.failures).isEmpty();
		for (RoomClient client : this.clients) {
			assertThat(client.wrong).isEmpty();
			assertThat(client.missing).doesNotContainAnyElementsOf(this.published.get(client.room()));
		}
		Map<RoomClient, List<RoomClient.Post>> sent = new HashMap<>();
		this.clients.forEach((client) -> sent.put(client, client.sent()));
		await().atMost(ARRIVAL).untilAsserted(() -> {
			List<Integer> untold = new ArrayList<>();
			sent.forEach((client, posts) -> posts.stream()
				.filter((post) -> !client.hasReceived(post))
				.filter((post) -> client.losses.stream().noneMatch((told) -> told > post.at))
				.forEach((post) -> untold.add(post.number)));
			assertThat(untold).as("Lost, and direct was true").isEmpty();
		});
		assertThat(this.clients.stream()
			.flatMap((client) -> client.posts.stream()
				.filter((post) -> post.outcome != null && post.outcome.failed() > 0 && client.hasReceived(post)))
			.map((post) -> post.number)).as("Received, and failed").isEmpty();
	}

	/** Holds for what clients of nodes that stopped in order must find besides. */
	void assertNothingIsLost() {
		assertNothingIsMissingWithoutAWord();
		assertThat(this.clients).allSatisfy((client) -> {
			assertThat(client.gaps).isZero();
			assertThat(client.losses).as("direct:false").isEmpty();
		});
	}

	Map<Integer, Integer> closes() {
		Map<Integer, Integer> all = new TreeMap<>();
		this.clients.forEach((client) -> client.closes.forEach((code, count) -> all.merge(code, count, Integer::sum)));
		return all;
	}

	int losses() {
		return this.clients.stream().mapToInt((client) -> client.losses.size()).sum();
	}

	Duration longestSilence() {
		return Duration.ofNanos(this.clients.stream().mapToLong((client) -> client.longestSilence).max().orElse(0));
	}

	/** What was measured. */
	@Override
	public String toString() {
		int published = this.published.values().stream().mapToInt(Set::size).sum();
		int resumes = this.clients.stream().mapToInt((client) -> client.resumes).sum();
		int gaps = this.clients.stream().mapToInt((client) -> client.gaps).sum();
		return this.clients.size() + " clients, " + published + " messages of rooms, " + this.posts + " direct ones, "
				+ resumes + " resumes, " + gaps + " gaps, " + losses() + " times direct:false, closes " + closes()
				+ ", longest silence " + longestSilence().toMillis() + " ms"
				+ (this.rejected.isEmpty() ? "" : ", rejected " + this.rejected);
	}

	@Override
	public void close() {
		this.load.shutdownNow();
		this.loop.close();
	}

}
