package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A node whose user may not publish for a while, and a waiter of another node, with a
 * lease so long that a heartbeat of the waiter comes too late.
 */
class RedisUnpublishedTests {

	private static final Duration LEASE = Duration.ofMinutes(5);

	private static final Duration SOON = Duration.ofSeconds(10);

	private final RedisFaultSite site = new RedisFaultSite();

	private RedisClient user;

	private RedisThrottleStore publishing;

	private RedisThrottleStore waiting;

	@BeforeEach
	void start() {
		this.site.acl("SETUSER", "app", "on", ">secret", "~*", "&*", "+@all");
		RedisURI uri = RedisURI.create("127.0.0.1", this.site.server().port());
		uri.setCredentialsProvider(new StaticCredentialsProvider("app", "secret".toCharArray()));
		this.user = RedisClient.create(uri);
		this.user.setOptions(ClientOptions.builder().autoReconnect(false).build());
		this.publishing = store(this.user);
		this.waiting = store(this.site.client());
	}

	private static RedisThrottleStore store(RedisClient client) {
		return RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(5)).lease(LEASE).build();
	}

	@AfterEach
	void stop() throws Exception {
		this.publishing.close();
		this.waiting.close();
		this.user.shutdown();
		this.site.close();
	}

	private static Throttle open(RedisThrottleStore store, Limit limit) {
		return ThrottlingManager.builder().store(store).build().addOrUpdate("quotes", limit);
	}

	@Test
	void grantThatIsNotPublishedIsPublishedLater() throws Exception {
		Throttle mutex = open(this.publishing, Limit.mutex());
		Permit permit = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> waiter = enter(open(this.waiting, Limit.mutex()));

		this.site.acl("SETUSER", "app", "resetchannels");
		permit.close();
		await().atMost(SOON).until(() -> mutex.state("k").waiting() == 0);
		assertThat(mutex.tryAcquire("other").admitted()).isTrue();
		assertThat(waiter).isNotDone();
		this.site.acl("SETUSER", "app", "allchannels");

		waiter.get(SOON.toSeconds(), TimeUnit.SECONDS).close();
		await().atMost(SOON).until(() -> mutex.state("k").used() == 0);
	}

	static List<Limit> rates() {
		Duration period = Duration.ofDays(1);
		return List.of(Limit.slidingLog(1, period), Limit.dynamicWindow(1, 1, 1, period, 3));
	}

	@ParameterizedTest
	@MethodSource("rates")
	void permitsOfWhichANodeIsNotNotifiedAreAnnouncedLater(Limit limit) throws Exception {
		Throttle rate = open(this.publishing, limit);
		assertThat(rate.tryAcquire("k").admitted()).isTrue();
		CompletableFuture<Permit> waiter = enter(open(this.waiting, limit));

		this.site.acl("SETUSER", "app", "resetchannels");
		assertThat(rate.forget("k")).isTrue();
		assertThat(waiter).isNotDone();
		this.site.acl("SETUSER", "app", "allchannels");

		waiter.get(SOON.toSeconds(), TimeUnit.SECONDS);
	}

	private static CompletableFuture<Permit> enter(Throttle throttle) {
		CompletableFuture<Permit> waiter = throttle.acquire("k", 1, Duration.ofDays(2));
		await().atMost(SOON).until(() -> throttle.state("k").waiting() == 1);
		return waiter;
	}

}
