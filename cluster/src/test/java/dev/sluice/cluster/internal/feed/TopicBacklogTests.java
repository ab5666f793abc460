package dev.sluice.cluster.internal.feed;

import java.util.ArrayList;
import java.util.List;

import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TopicBacklogTests {

	private final TopicBacklog messages = new TopicBacklog();

	private final List<TopicBacklog.Group> turns = new ArrayList<>();

	private int added;

	@Test
	void messagesThatFollowEachOtherTakeOneTurn() {
		add("room", 3);
		add("hall", 1);
		assertThat(this.turns).hasSize(2);
		assertThat(this.turns.get(0).begin()).extracting((message) -> message.entry().at().offset())
			.containsExactly(1L, 2L, 3L);
	}

	@Test
	void behindAnotherTurnMessagesTakeOneOfTheirOwn() {
		add("room", 2);
		this.messages.close("room");
		add("room", 1);
		assertThat(this.turns).extracting((group) -> group.begin().size()).containsExactly(2, 1);
	}

	@Test
	void nothingIsAddedToMessagesWhoseTurnHasCome() {
		add("room", 2);
		List<TopicBacklog.Message> begun = this.turns.get(0).begin();
		add("room", 1);
		assertThat(begun).hasSize(2);
		assertThat(this.turns).hasSize(2);
	}

	@Test
	void aTurnIsBoundedInNumberAndLength() {
		add("room", TopicBacklog.AT_ONCE + 1);
		assertThat(this.turns).hasSize(2);
		String half = "x".repeat(TopicBacklog.LENGTH_AT_ONCE / 2);
		assertThat(add("hall", half) && add("hall", half) && add("hall", "x")).isTrue();
		assertThat(this.turns).hasSize(4);
		assertThat(add("hall", "x".repeat(2 * TopicBacklog.LENGTH_AT_ONCE))).isTrue();
		assertThat(this.turns).hasSize(5);
	}

	@Test
	void thereIsRoomAgainWhenMessagesHaveEnded() {
		add("room", TopicBacklog.MAX_TURNS * TopicBacklog.AT_ONCE);
		assertThat(add("room", "x")).isFalse();
		assertThat(add("hall", "x")).isTrue();
		this.turns.get(0).begin();
		assertThat(add("room", "x")).isFalse();
		this.turns.get(0).end();
		add("room", TopicBacklog.AT_ONCE);
		assertThat(add("room", "x")).isFalse();
	}

	@Test
	void whatWaitsForAllTopicsIsBoundedByItsCost() {
		String large = "x".repeat((int) TopicBacklog.MAX_COST / 2 - TopicBacklog.OVERHEAD);
		assertThat(add("room", large)).isTrue();
		assertThat(add("hall", large)).isTrue();
		assertThat(add("other", "")).isFalse();
		this.turns.get(0).end();
		assertThat(add("other", large)).isTrue();
		this.turns.get(1).end();
		this.turns.get(2).end();
		assertThat(add("other", large + large + large)).as("one alone").isTrue();
	}

	private void add(String topic, int count) {
		for (int number = 0; number < count; number++) {
			assertThat(add(topic, "payload")).isTrue();
		}
	}

	private boolean add(String topic, String payload) {
		Position at = new Position(++this.added, "id");
		return this.messages.add(topic, new TopicEntry(at, payload), null, this.turns::add);
	}

}
