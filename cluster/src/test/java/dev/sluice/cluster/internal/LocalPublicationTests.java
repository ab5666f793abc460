package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.settings.QuotaLimits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is published by the failure policy {@code local} while the bus is unavailable to
 * one of two nodes.
 */
class LocalPublicationTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final TestNode one = node();

	private final TestNode other = node();

	private final TestNode.Client ann = this.one.open("ann", null);

	private final TestNode.Client bob = this.other.open("bob", null);

	private final Topic room = this.one.cluster.topic("room");

	private TestNode node() {
		return new TestNode(this.bus.connect(), Runnable::run, this.clock, Runnable::run, 4, PresenceSettings.OFF,
				QuotaLimits.NONE, ClusterObserver.NONE, true);
	}

	@BeforeEach
	void join() {
		this.room.join(this.ann.session()).join();
		this.other.cluster.topic("room").join(this.bob.session()).join();
	}

	@Test
	void membersOfTheNodeGetWhatItPublishesWithoutAPosition() {
		this.one.bus.unavailable = true;
		assertThat(this.room.publish("alone")).isCompletedWithValue(null);
		assertThat(this.ann.sent).containsExactly("{\"type\":\"message\",\"data\":\"alone\",\"topic\":\"room\"}");
		assertThat(this.bob.sent).isEmpty();
	}

	@Test
	void aGapFollowsOnceTheBusIsBackThoughNothingElseIsPublished() {
		this.one.bus.unavailable = true;
		this.room.publish("1").join();
		this.room.publish("2").join();
		assertThat(this.clock.scheduled()).isOne();
		this.clock.advance(TIMEOUT);
		assertThat(texts(this.ann)).containsExactly("1", "2");
		this.one.bus.unavailable = false;
		this.clock.advance(TIMEOUT);
		assertThat(texts(this.ann)).containsExactly("1", "2", "gap");
		this.room.publish("3").join();
		assertThat(texts(this.ann)).containsExactly("1", "2", "gap", "3");
		assertThat(texts(this.bob)).containsExactly("3");
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void aGapComesBeforeWhatOthersHavePublished() {
		this.one.bus.unavailable = true;
		this.room.publish("alone").join();
		this.one.bus.unavailable = false;
		this.other.cluster.topic("room").publish("next").join();
		assertThat(texts(this.ann)).containsExactly("alone", "gap", "next");
		this.clock.advance(TIMEOUT);
		assertThat(texts(this.ann)).hasSize(3);
	}

	@Test
	void whatWasPublishedNeverthelessIsNotDoubled() {
		this.one.bus.deaf = true;
		this.one.bus.breaking = true;
		assertThat(this.room.publish("undecided")).isCompletedWithValue(null);
		assertThat(texts(this.ann)).containsExactly("undecided");
		this.one.bus.breaking = false;
		this.one.bus.unavailable = false;
		this.one.bus.deaf = false;
		this.clock.advance(TIMEOUT);
		this.room.publish("next").join();
		assertThat(texts(this.ann)).containsExactly("undecided", "gap", "next");
		assertThat(texts(this.bob)).containsExactly("undecided", "next");
	}

	@Test
	void whatHasArrivedFromTheBusIsNotDeliveredAgainWithoutIt() {
		this.one.bus.breaking = true;
		assertThat(this.room.publish("undecided")).isCompletedWithValue(null);
		assertThat(texts(this.ann)).containsExactly("undecided");
		this.one.bus.breaking = false;
		this.one.bus.unavailable = false;
		this.clock.advance(TIMEOUT);
		this.room.publish("next").join();
		assertThat(texts(this.ann)).containsExactly("undecided", "next");
		assertThat(texts(this.bob)).containsExactly("undecided", "next");
	}

	@Test
	void whereTheNodeHasNoMemberAPublicationIsRejected() {
		this.one.bus.unavailable = true;
		assertRejected(this.one.cluster.topic("empty").publish("nobody"));
	}

	@Test
	void whatAwaitsReceiptsOfAllNodesIsRejected() {
		this.one.bus.unavailable = true;
		assertRejected(this.room.post("posted"));
		assertThat(this.ann.sent).isEmpty();
	}

	private static void assertRejected(CompletableFuture<?> publication) {
		assertThat(publication).failsWithin(TIMEOUT)
			.withThrowableThat()
			.withCauseInstanceOf(BusUnavailableException.class);
	}

	private static List<String> texts(TestNode.Client client) {
		return client.sent.stream()
			.map(Object::toString)
			.map((frame) -> frame.contains("\"gap\"") ? "gap" : frame.replaceFirst(".*\"data\":\"(.*?)\".*", "$1"))
			.toList();
	}

}
