package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PendingReleasesTests {

	private static final int MOST = 10_000;

	private static final Duration LEASE = Duration.ofMinutes(1);

	private long now;

	private final PendingReleases releases = new PendingReleases(() -> this.now);

	private boolean connected;

	@Test
	void releasesThatCannotBeToldAreBounded() {
		List<CompletableFuture<Void>> all = new ArrayList<>();
		for (int i = 0; i < MOST + 100; i++) {
			all.add(this.releases.add(this::send, LEASE));
		}
		assertThat(this.releases.size()).isEqualTo(MOST);
		assertThat(all.subList(0, MOST)).noneMatch(CompletableFuture::isDone);
		assertThat(all.subList(MOST, all.size())).allMatch(CompletableFuture::isDone);

		this.connected = true;
		this.releases.retryAll();
		assertThat(this.releases.size()).isZero();
		assertThat(all).allMatch(CompletableFuture::isDone);

		this.connected = false;
		assertThat(this.releases.add(this::send, LEASE)).isNotDone();
		assertThat(this.releases.size()).isEqualTo(1);
	}

	/** As of a call that a server has lost: no release finds it. */
	@Test
	void releaseThatFindsNothingIsRetriedEverMoreRarely() {
		AtomicInteger attempts = new AtomicInteger();
		CompletableFuture<Void> release = this.releases.add(() -> {
			attempts.incrementAndGet();
			return CompletableFuture.completedFuture(false);
		}, LEASE);

		for (int retry = 0; retry < 150; retry++) {
			pass(Duration.ofMillis(200));
		}
		assertThat(attempts).hasValueBetween(5, 10);
		assertThat(release).isNotDone();

		pass(LEASE);
		assertThat(release).isDone();
	}

	private void pass(Duration time) {
		this.now += time.toNanos();
		this.releases.retry();
	}

	private CompletableFuture<Boolean> send() {
		return this.connected ? CompletableFuture.completedFuture(true)
				: CompletableFuture.failedFuture(new IllegalStateException("No connection"));
	}

}
