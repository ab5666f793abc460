package dev.sluice.redis.bus.partition;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.sluice.redis.connection.Channels;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.Connector;
import dev.sluice.redis.connection.RedisConnections;
import dev.sluice.redis.connection.RedisErrors;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Commands whose answers a test gives. */
class PartitionCommandsTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	/** Never connects. */
	private static final RedisClient CLIENT = RedisClient.create();

	private final RedisConnections none = new RedisConnections(Connector.of(CLIENT), LONG, Channels.NONE,
			(channel, message) -> {
			}, (subscribed) -> {
			});

	private final CommandSender sender = new CommandSender(this.none, LONG, this.timer);

	private final AtomicInteger moved = new AtomicInteger();

	private final ConcurrentLinkedQueue<String> sent = new ConcurrentLinkedQueue<>();

	private final List<CompletableFuture<String>> answers = new ArrayList<>();

	@AfterAll
	static void stopClient() {
		CLIENT.shutdown(0, 1, TimeUnit.SECONDS);
	}

	@AfterEach
	void stop() {
		this.timer.shutdownNow();
	}

	private PartitionCommands commands(Duration timeout) {
		return new PartitionCommands(() -> this.sender, this.moved::incrementAndGet, this.timer, timeout);
	}

	private CompletableFuture<String> send(PartitionCommands commands, String name) {
		return commands.send((master) -> {
			CompletableFuture<String> answer = new CompletableFuture<>();
			synchronized (this.answers) {
				this.sent.add(name);
				this.answers.add(answer);
			}
			return answer;
		});
	}

	private CompletableFuture<String> answer(int index) {
		if (this.sent.size() <= index) {
			await().until(() -> this.sent.size() > index);
		}
		synchronized (this.answers) {
			return this.answers.get(index);
		}
	}

	private void fail(int index, String error) {
		answer(index).completeExceptionally(
				new IllegalStateException(new RedisCommandExecutionException(error + " 1 127.0.0.1:6379")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "MOVED", "ASK", "TRYAGAIN" })
	void whatWasElsewhereIsSentAgainBeforeWhatCameLater(String error) {
		PartitionCommands commands = commands(LONG);
		List<CompletableFuture<String>> results = new ArrayList<>();
		IntStream.range(0, 3).forEach((index) -> results.add(send(commands, "c" + index)));
		fail(1, error);
		results.add(send(commands, "c3"));
		fail(0, error);
		fail(2, error);
		assertThat(answer(3)).isNotDone();
		assertThat(this.sent).as("the first alone").endsWith("c0").hasSize(4);
		assertThat(this.moved).hasPositiveValue();
		answer(3).complete("done");
		answer(6);
		assertThat(this.sent).containsExactly("c0", "c1", "c2", "c0", "c1", "c2", "c3");
		IntStream.range(4, 7).forEach((index) -> answer(index).complete("done"));
		assertThat(results).allSatisfy((result) -> assertThat(result).isCompletedWithValue("done"));
	}

	@Test
	void whatWasElsewhereWaitsForTheConnectionToItsServer() {
		PartitionCommands commands = commands(LONG);
		CompletableFuture<String> result = send(commands, "c0");
		fail(0, "MOVED");
		answer(1).completeExceptionally(CommandSender.notConnected());
		answer(2).complete("done");
		assertThat(result).isCompletedWithValue("done");
		CompletableFuture<String> later = send(commands, "c1");
		answer(3).completeExceptionally(CommandSender.notConnected());
		assertThat(later).as("not held").isCompletedExceptionally();
	}

	@Test
	void aCommandThatMayHaveBeenRunIsNotSentAgain() {
		PartitionCommands commands = commands(LONG);
		CompletableFuture<String> result = send(commands, "c0");
		answer(0).completeExceptionally(new IllegalStateException(new IOException("lost")));
		assertThat(result).isCompletedExceptionally();
		assertThat(send(commands, "c1")).isNotDone();
		assertThat(this.sent).containsExactly("c0", "c1");
	}

	@Test
	void whatHasWaitedForTooLongHasFailedAndWasNotRun() {
		PartitionCommands commands = commands(Duration.ofMillis(100));
		CompletableFuture<String> first = send(commands, "c0");
		fail(0, "TRYAGAIN");
		AtomicInteger seen = new AtomicInteger(1);
		while (!first.isDone()) {
			await().until(() -> first.isDone() || this.sent.size() > seen.get());
			if (!first.isDone()) {
				fail(seen.getAndIncrement(), "TRYAGAIN");
			}
		}
		assertThat(first.handle((answer, failure) -> RedisErrors.mayBeRun(failure)).join()).isFalse();
	}

	@Test
	void manyThreadsAreSentInTheOrderOfEach() {
		PartitionCommands commands = commands(LONG);
		ConcurrentLinkedQueue<CompletableFuture<String>> results = new ConcurrentLinkedQueue<>();
		IntStream.range(0, 4).parallel().forEach((thread) -> IntStream.range(0, 200).forEach((index) -> {
			results.add(send(commands, thread + " " + index));
		}));
		for (int index = 0; results.stream().anyMatch((result) -> !result.isDone()); index++) {
			answer(index).complete("done");
		}
		for (int thread = 0; thread < 4; thread++) {
			String start = thread + " ";
			assertThat(this.sent.stream().filter((name) -> name.startsWith(start)).toList())
				.isEqualTo(IntStream.range(0, 200).mapToObj((index) -> start + index).toList());
		}
	}

}
