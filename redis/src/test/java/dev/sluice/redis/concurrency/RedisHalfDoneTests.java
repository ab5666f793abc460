package dev.sluice.redis.concurrency;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Scripts that an error of the server ends in the middle. */
class RedisHalfDoneTests {

	private static final Duration LEASE = Duration.ofMillis(1500);

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final RedisThrottleStore store = RedisThrottleStore.builder(this.client)
		.timeout(Duration.ofSeconds(5))
		.lease(LEASE)
		.build();

	private final ThrottlingManager manager = ThrottlingManager.builder().store(this.store).build();

	private StatefulRedisConnection<String, String> operator;

	@BeforeEach
	void connect() {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.sync()
				.aclSetuser("operator",
						AclSetuserArgs.Builder.on().addPassword("secret").allKeys().allChannels().allCommands());
		}
		RedisURI uri = RedisURI.create("127.0.0.1", this.server.port());
		uri.setCredentialsProvider(new StaticCredentialsProvider("operator", "secret".toCharArray()));
		this.operator = this.client.connect(uri);
	}

	@AfterEach
	void close() {
		this.store.close();
		this.client.shutdown();
		this.server.close();
	}

	private void memory(String bytes) {
		this.operator.sync().configSet("maxmemory", bytes);
	}

	@Test
	void permitsAreReleasedAndRenewedByAServerWithoutMemory() throws Exception {
		Throttle mutex = this.manager.addOrUpdate("order", Limit.mutex());
		Permit first = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> second = mutex.acquire("k", 1, Duration.ofMinutes(1));
		await().until(() -> mutex.state("k").waiting() == 1);
		CompletableFuture<Permit> waiting = mutex.acquire("k", 1, Duration.ofMinutes(1));
		await().until(() -> mutex.state("k").waiting() == 2);
		memory("1");
		first.close();
		Permit permit = second.get(20, TimeUnit.SECONDS);
		CompletableFuture<Void> lost = new CompletableFuture<>();
		permit.onLost(() -> lost.complete(null));
		assertThat(waiting).isNotDone();
		await().during(LEASE.plusMillis(200)).atMost(Duration.ofSeconds(20)).until(() -> !lost.isDone());
		permit.close();
		waiting.get(20, TimeUnit.SECONDS).close();
		await().until(() -> mutex.state("k").used() == 0);
		assertThat(mutex.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
		memory("0");
		await().until(() -> mutex.tryAcquire("k").admitted());
	}

	/**
	 * The message of the grant is rejected, after the grant was saved; the waiter learns
	 * of it when its node asks, within a third of a lease.
	 */
	@Test
	void grantThatCannotBePublishedIsHeld() throws Exception {
		Throttle mutex = this.manager.addOrUpdate("order", Limit.mutex());
		Permit first = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> second = mutex.acquire("k", 1, Duration.ofMinutes(1));
		await().until(() -> mutex.state("k").waiting() == 1);
		this.operator.sync().aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.PUBLISH));
		first.close();
		Permit permit = second.get(20, TimeUnit.SECONDS);
		assertThat(mutex.state("k").used()).isOne();
		assertThat(mutex.tryAcquire("k").admitted()).isFalse();
		permit.close();
	}

}
