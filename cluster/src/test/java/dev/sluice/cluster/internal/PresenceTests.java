package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.TopicPresence;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who is told that principals come and go, on three nodes, one of which may die. */
class PresenceTests {

	private static final Duration DELAY = Duration.ofSeconds(15);

	private static final Duration LOOK = Duration.ofSeconds(1);

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final TestNode one = node();

	private final TestNode two = node();

	private final TestNode three = node();

	private final TestNode.Client watcher = this.one.open("watcher", null);

	private int clients;

	private TestNode node() {
		return new TestNode(this.bus.connect(), Runnable::run, this.clock, Runnable::run, 100,
				new PresenceSettings(List.of("room*"), DELAY, 2));
	}

	private static Topic room(TestNode node) {
		return node.cluster.topic("room");
	}

	private TestNode.Client join(TestNode node, String principal) {
		TestNode.Client client = node.open("client-" + this.clients++, principal);
		room(node).join(client.session()).join();
		return client;
	}

	@Test
	void aPrincipalIsOneHoweverManySessionsItHas() {
		room(this.one).join(this.watcher.session());
		TestNode.Client first = join(this.one, "ann");
		TestNode.Client second = join(this.one, "ann");
		TestNode.Client third = join(this.two, "ann");
		assertThat(told()).containsExactly("+ann");
		room(this.one).leave(first.session());
		room(this.two).leave(third.session());
		assertThat(told()).containsExactly("+ann");
		assertThat(present()).isEqualTo(new TopicPresence(List.of("ann"), 1));
		room(this.one).leave(second.session());
		assertThat(told()).containsExactly("+ann", "-ann");
		assertThat(present()).isEqualTo(new TopicPresence(List.of(), 0));
	}

	@Test
	void allMembersAreToldInTheOrderOfTheMessages() {
		room(this.one).join(this.watcher.session());
		TestNode.Client bob = join(this.two, "bob");
		room(this.three).publish("hello").join();
		join(this.three, "carl");
		List<Object> from = List.copyOf(this.watcher.sent);
		assertThat(bob.sent).containsExactlyElementsOf(from);
		assertThat(from).hasSize(3)
			.first()
			.asString()
			.matches(
					"\\{\"type\":\"presence\",\"joined\":\\[\"bob\"],\"left\":\\[],\"topic\":\"room\",\"at\":\"1\\..*}");
	}

	@Test
	void whoComesBackInTimeHasNotBeenAway() {
		room(this.one).join(this.watcher.session());
		TestNode.Client ann = join(this.one, "ann");
		for (TestNode node : List.of(this.one, this.two, this.one, this.one)) {
			ann.leave();
			this.clock.advance(DELAY.minusMillis(1));
			ann = join(node, "ann");
		}
		this.clock.advance(DELAY.multipliedBy(3));
		assertThat(told()).containsExactly("+ann");
		ann.leave();
		this.clock.advance(DELAY.minusMillis(1));
		assertThat(present().principals()).containsExactly("ann");
		assertThat(told()).containsExactly("+ann");
		this.clock.advance(Duration.ofMillis(1));
		assertThat(told()).containsExactly("+ann", "-ann");
	}

	@Test
	void theDelayBeginsWithTheLatestEnd() {
		room(this.one).join(this.watcher.session());
		join(this.one, "ann").leave();
		this.clock.advance(DELAY.dividedBy(2));
		join(this.one, "ann").leave();
		this.clock.advance(DELAY.minusMillis(1));
		assertThat(told()).containsExactly("+ann");
		this.clock.advance(Duration.ofMillis(1));
		assertThat(told()).containsExactly("+ann", "-ann");
	}

	@Test
	void whatADeadNodeHasLeftIsToldOnceWithinASecond() {
		room(this.one).join(this.watcher.session());
		join(this.two, "bob");
		join(this.three, "ann");
		join(this.three, "bob");
		join(this.three, "carl");
		this.clock.advance(LOOK);
		assertThat(told()).containsExactly("+bob", "+ann", "+carl");
		this.three.bus.close();
		assertThat(told()).hasSize(3);
		this.clock.advance(LOOK);
		assertThat(told()).hasSize(5).contains("-ann", "-carl").doesNotContain("-bob");
		assertThat(present()).isEqualTo(new TopicPresence(List.of("bob"), 1));
		this.clock.advance(DELAY);
		assertThat(told()).hasSize(5);
	}

	@Test
	void aNodeThatWasOnlyAwayTellsAgainWhoIsThere() {
		room(this.one).join(this.watcher.session());
		join(this.two, "bob");
		join(this.three, "ann");
		this.clock.advance(LOOK);
		this.one.bus.dead = Set.of(this.three.bus.node());
		this.two.bus.dead = Set.of(this.three.bus.node());
		this.clock.advance(LOOK);
		assertThat(told()).containsExactly("+bob", "+ann", "-ann");
		this.one.bus.dead = Set.of();
		this.two.bus.dead = Set.of();
		this.three.bus.interrupt();
		assertThat(told()).containsExactly("+bob", "+ann", "-ann", "+ann");
		this.clock.advance(DELAY);
		assertThat(told()).hasSize(4);
		assertThat(present().count()).isEqualTo(2);
	}

	@Test
	void whatTheBusStillBelievesToLiveIsRemovedLater() {
		room(this.one).join(this.watcher.session());
		join(this.three, "ann");
		this.clock.advance(LOOK);
		this.three.bus.close();
		this.one.bus.slow = true;
		this.two.bus.slow = true;
		this.clock.advance(LOOK.multipliedBy(2));
		assertThat(told()).containsExactly("+ann");
		this.one.bus.slow = false;
		this.clock.advance(LOOK);
		assertThat(told()).containsExactly("+ann", "-ann");
	}

	@Test
	void ghostsOfBeforeAreRemovedByWhoJoins() {
		TestNode dead = node();
		join(dead, "ann");
		dead.bus.close();
		TestNode late = node();
		TestNode.Client member = late.open("late", null);
		room(late).join(member.session());
		assertThat(told(member)).as("nobody knows whether it is a new node").isEmpty();
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(told(member)).containsExactly("-ann");
	}

	@Test
	void aNodeThatIsCutOffBelievesNobodyDead() {
		room(this.one).join(this.watcher.session());
		join(this.two, "bob");
		this.clock.advance(LOOK);
		this.one.bus.lapsed = true;
		this.clock.advance(LOOK.multipliedBy(3));
		this.one.bus.lapsed = false;
		this.clock.advance(LOOK.multipliedBy(3));
		assertThat(told()).containsExactly("+bob");
	}

	@Test
	void whatTheBusWasNotToldItIsToldLater() {
		room(this.one).join(this.watcher.session());
		TestNode.Client ann = this.two.open("ann", "ann");
		room(this.two).join(this.two.open("nobody", null).session());
		this.two.bus.unavailable = true;
		room(this.two).join(ann.session()).join();
		assertThat(told()).isEmpty();
		this.two.bus.unavailable = false;
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(told()).containsExactly("+ann");
		this.two.bus.unanswered = true;
		room(this.two).leave(ann.session());
		this.two.bus.unanswered = false;
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(told()).as("once").containsExactly("+ann", "-ann");
	}

	@Test
	void sessionsWithoutAPrincipalAndOtherTopicsAreNotTold() {
		room(this.one).join(this.watcher.session());
		join(this.two, null);
		assertThat(told()).isEmpty();
		TestNode.Client ann = this.one.open("ann", "ann");
		Topic lobby = this.one.cluster.topic("lobby");
		lobby.join(ann.session());
		assertThat(ann.sent).isEmpty();
		assertThat(lobby.presence()).isCompletedExceptionally();
	}

	@Test
	void anAnswerNamesABoundedNumber() {
		for (String principal : List.of("carl", "ann", "bob")) {
			join(this.one, principal);
		}
		assertThat(present()).isEqualTo(new TopicPresence(List.of("ann", "bob"), 3));
	}

	private TopicPresence present() {
		return room(this.two).presence().join();
	}

	private List<String> told() {
		return told(this.watcher);
	}

	/** Who came and went, as a client was told. */
	private static List<String> told(TestNode.Client client) {
		return client.sent.stream()
			.map(Object::toString)
			.filter((frame) -> frame.contains("\"presence\""))
			.map((frame) -> Objects.requireNonNull(frame)
				.replaceFirst(".*\"joined\":\\[\"(\\w+)\"].*", "+$1")
				.replaceFirst(".*\"left\":\\[\"(\\w+)\"].*", "-$1"))
			.toList();
	}

}
