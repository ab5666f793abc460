package dev.sluice.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Releases by owner, on threads that must not block, and while Redis is unavailable. */
class RedisReleaseTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final AcquireRequest REQUEST = AcquireRequest.of("mutex", "k").owner("owner");

	private final RedisServer server = RedisServer.start();

	private final FaultyProxy network = FaultyProxy.to(this.server.port());

	private final RedisClient client = client(this.network.port());

	private final RedisClient otherClient = client(this.server.port());

	private final RedisThrottleStore store = RedisThrottleStore.builder(this.client).build();

	private final RedisThrottleStore otherStore = RedisThrottleStore.builder(this.otherClient)
		.timeout(PATIENCE)
		.build();

	private final ThrottlingManager node = ThrottlingManager.builder().store(this.store).build();

	private final ThrottlingManager otherNode = ThrottlingManager.builder().store(this.otherStore).build();

	private Throttle mutex;

	private Throttle elsewhere;

	private static RedisClient client(int port) {
		RedisClient client = RedisClient.create(RedisURI.builder().withHost("127.0.0.1").withPort(port).build());
		client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		return client;
	}

	@BeforeEach
	void hold() {
		this.mutex = this.node.addOrUpdate("mutex", Limit.mutex());
		this.elsewhere = this.otherNode.addOrUpdate("mutex", Limit.mutex());
		await().atMost(PATIENCE).until(() -> this.node.tryAcquire(REQUEST).admitted());
	}

	@AfterEach
	void stop() throws Exception {
		this.store.close();
		this.otherStore.close();
		this.client.shutdown();
		this.otherClient.shutdown();
		this.network.close();
		this.server.close();
	}

	@Test
	void releaseByOwnerWorksOnAThreadThatMustNotBlock() {
		Mono<Boolean> released = Mono.fromFuture(() -> this.mutex.releaseAsync("k", "owner"))
			.subscribeOn(Schedulers.parallel());

		assertThat(released.block(PATIENCE)).isTrue();
		assertThat(this.elsewhere.tryAcquire("k").admitted()).isTrue();
	}

	@Test
	void releaseByOwnerThatCannotBeSentIsRepeated() throws Exception {
		this.network.cut();
		await().atMost(PATIENCE).until(() -> this.store.snapshot().unavailable());

		CompletableFuture<Boolean> released = this.mutex.releaseAsync("k", "owner");
		assertThat(released).isNotDone();
		this.network.repair();

		assertThat(released).succeedsWithin(PATIENCE).isEqualTo(true);
		this.elsewhere.acquire("k", 1, PATIENCE).get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
	}

	@Test
	void releaseThatIsRepeatedLeavesLaterGrantsAlone() {
		this.network.cut();
		await().atMost(PATIENCE).until(() -> this.store.snapshot().unavailable());
		CompletableFuture<Boolean> released = this.mutex.releaseAsync("k", "owner");
		assertThat(this.elsewhere.release("k", "owner")).isTrue();
		// longer than a command is under way, which is how exact the repetition is
		await().pollDelay(Duration.ofMillis(500)).atMost(PATIENCE).until(() -> true);
		assertThat(this.otherNode.tryAcquire(REQUEST).admitted()).isTrue();

		this.network.repair();

		assertThat(released).succeedsWithin(PATIENCE).isEqualTo(false);
		assertThat(this.elsewhere.state("k").used()).isOne();
	}

}
