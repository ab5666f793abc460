package dev.sluice.test.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.SessionClaim;
import dev.sluice.bus.SessionRecord;
import dev.sluice.bus.SessionRecords;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of the {@link SessionRecords} that a {@link ClusterBus} offers, as JUnit
 * tests: claims are ordered, and a record written by the owner before a claim does not
 * replace the claim. Extend it in the tests of a bus. Each test uses a key of its own.
 * <p>
 * Needs JUnit 5 or newer and AssertJ on the class path.
 *
 * @since 0.1.0
 */
public abstract class ClusterRecordsContract {

	private static final Duration TIME = Duration.ofMinutes(1);

	private static final Duration SHORT = Duration.ofMillis(300);

	private static final String OWNER = "ann {é🙂} %";

	private final String key = UUID.randomUUID().toString();

	private final List<ClusterBus> opened = new ArrayList<>();

	/** Creates the tests. */
	protected ClusterRecordsContract() {
	}

	/**
	 * Adds a node.
	 * @return a bus that is not started, connected to those returned before
	 */
	protected abstract ClusterBus connect();

	/**
	 * Returns the maximum time, in real time, that a test waits for an expected event.
	 * @return 10 seconds unless overridden
	 */
	protected Duration patience() {
		return Duration.ofSeconds(10);
	}

	/**
	 * Advances the clock of the bus, or waits.
	 * @param time the time to pass
	 * @throws InterruptedException if the thread is interrupted while it waits
	 */
	protected abstract void pass(Duration time) throws InterruptedException;

	@AfterEach
	void stop() {
		this.opened.forEach(ClusterBus::close);
	}

	private ClusterBus open() {
		ClusterBus bus = connect();
		this.opened.add(bus);
		bus.start(new RecordedFrames());
		return bus;
	}

	private static SessionRecords records(ClusterBus bus) {
		return Objects.requireNonNull(bus.records(), "The bus offers no records of sessions");
	}

	private SessionRecord record(ClusterBus bus, long incarnation, String content, String... secrets) {
		return new SessionRecord(this.key, bus.node(), incarnation, List.of(secrets), OWNER, content);
	}

	private SessionClaim claim(String secret, String next) {
		return new SessionClaim(this.key, secret, OWNER, next);
	}

	private <T extends @Nullable Object> T get(CompletableFuture<T> future) {
		return future.orTimeout(patience().toMillis(), TimeUnit.MILLISECONDS).join();
	}

	@Test
	void aClaimGetsWhatWasKeptAndIsTheNextIncarnation() {
		ClusterBus one = open();
		ClusterBus other = open();
		assertThat(get(records(one).keep(record(one, 1, "old", "s1"), TIME))).isTrue();
		SessionRecord kept = record(one, 1, "content {é🙂}", "s1");
		assertThat(get(records(one).keep(kept, TIME))).isTrue();
		assertThat(get(records(other).claim(claim("s1", "s2"), TIME))).isEqualTo(kept);
		assertThat(get(records(one).claim(claim("s2", "s3"), TIME)))
			.isEqualTo(record(other, 2, "content {é🙂}", "s1", "s2"));
		assertThat(get(records(one).claim(claim("s3", "s4"), TIME)))
			.isEqualTo(record(one, 3, "content {é🙂}", "s2", "s3"));
	}

	@Test
	void theSecretOfAClaimIsGoodUntilTheNextIsConfirmed() {
		ClusterBus one = open();
		get(records(one).keep(record(one, 1, "", "s1"), TIME));
		assertThat(get(records(one).claim(claim("s1", "s2"), TIME))).isNotNull();
		assertThat(get(records(one).claim(claim("s1", "s3"), TIME))).isNotNull();
		assertThat(get(records(one).claim(claim("s2", "s4"), TIME))).isNull();
		assertThat(get(records(one).keep(record(one, 3, "", "s3"), TIME))).isTrue();
		assertThat(get(records(one).claim(claim("s1", "s5"), TIME))).isNull();
		assertThat(get(records(one).claim(claim("s3", "s5"), TIME))).isNotNull();
	}

	@Test
	void whoHasNotTheSecretOrIsAnotherOwnerGetsNothing() {
		ClusterBus one = open();
		get(records(one).keep(record(one, 1, "", "s1"), TIME));
		assertThat(get(records(one).claim(claim("s", "s2"), TIME))).isNull();
		assertThat(get(records(one).claim(new SessionClaim(this.key, "s1", "eve", "s2"), TIME))).isNull();
		assertThat(get(records(one).claim(new SessionClaim("another", "s1", OWNER, "s2"), TIME))).isNull();
		assertThat(get(records(one).claim(claim("s1", "s2"), TIME))).isNotNull();
	}

	@Test
	void whatWasKnownBeforeAClaimDoesNotReplaceIt() {
		ClusterBus one = open();
		ClusterBus other = open();
		get(records(one).keep(record(one, 1, "", "s1"), TIME));
		get(records(other).claim(claim("s1", "s2"), TIME));
		assertThat(get(records(one).keep(record(one, 1, "late", "s1"), TIME))).isFalse();
		get(records(one).forget(this.key, 1));
		assertThat(get(records(other).claim(claim("s2", "s3"), TIME))).isEqualTo(record(other, 2, "", "s1", "s2"));
	}

	@Test
	void theIncarnationOfTheRecordIsTheLatest() {
		ClusterBus one = open();
		ClusterBus other = open();
		assertThat(get(records(one).isLatest(this.key, 1))).isFalse();
		get(records(one).keep(record(one, 1, "{é🙂}".repeat(100), "s1"), TIME));
		assertThat(get(records(other).isLatest(this.key, 1))).isTrue();
		get(records(other).claim(claim("s1", "s2"), TIME));
		assertThat(get(records(one).isLatest(this.key, 1))).isFalse();
		assertThat(get(records(one).isLatest(this.key, 2))).isTrue();
		assertThat(get(records(one).isLatest(this.key, 20))).isFalse();
		get(records(one).forget(this.key, 2));
		assertThat(get(records(one).isLatest(this.key, 2))).isFalse();
	}

	@Test
	void whatIsForgottenOrWhoseTimeIsOverIsNotClaimed() throws InterruptedException {
		ClusterBus one = open();
		get(records(one).keep(record(one, 1, "", "s1"), TIME));
		get(records(one).forget(this.key, 1));
		assertThat(get(records(one).claim(claim("s1", "s2"), TIME))).isNull();
		get(records(one).keep(record(one, 1, "", "s1"), SHORT));
		pass(SHORT.multipliedBy(2));
		assertThat(get(records(one).claim(claim("s1", "s2"), TIME))).isNull();
		assertThat(get(records(one).keep(record(one, 1, "again", "s1"), TIME))).isTrue();
	}

	@Test
	void ofClaimsAtOnceEachIsAnIncarnationOfItsOwn() {
		List<ClusterBus> nodes = List.of(open(), open(), open());
		get(records(nodes.get(0)).keep(record(nodes.get(0), 1, "", "s1"), TIME));
		List<CompletableFuture<@Nullable SessionRecord>> claims = IntStream.range(0, 30)
			.parallel()
			.mapToObj((number) -> records(nodes.get(number % 3)).claim(claim("s1", "n" + number), TIME))
			.toList();
		Set<Long> before = new TreeSet<>();
		claims.forEach((claim) -> {
			SessionRecord record = get(claim);
			if (record != null) {
				before.add(record.incarnation());
			}
		});
		assertThat(before).containsExactlyElementsOf(IntStream.rangeClosed(1, 30).mapToObj(Long::valueOf).toList());
	}

}
