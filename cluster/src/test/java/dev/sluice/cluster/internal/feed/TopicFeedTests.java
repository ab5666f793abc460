package dev.sluice.cluster.internal.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A feed against a naive model: a server that loses its tail, and a way that loses
 * frames.
 */
class TopicFeedTests {

	private static final String GAP = "gap";

	private final List<TopicEntry> server = new ArrayList<>();

	private final List<String> delivered = new ArrayList<>();

	/** What each message followed when it was published. */
	private final Map<String, String> followers = new HashMap<>();

	private TopicFeed feed = new TopicFeed(5);

	private int ids;

	@Test
	void afterAServerHasLostItsTailNewMessagesAreDelivered() {
		this.feed.start(null);
		publish(3).forEach(this::arrive);
		lose(2);
		publish(2);
		arrive(this.server.size() - 1);
		assertThat(this.delivered).containsExactly("m1", "m2", "m3", GAP, "m4", "m5");
		assertThat(this.server).extracting((entry) -> entry.at().offset()).containsExactly(1L, 2L, 3L);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whatIsPublishedAgainAfterItWasLostIsNotDeliveredAgain(boolean verified) {
		this.feed.start(null);
		publish(3).forEach(this::arrive);
		TopicEntry lost = this.server.get(2);
		lose(2);
		if (verified) {
			this.feed.doubt();
			assertThat(this.feed.heal(history(), null))
				.isEqualTo(new TopicFeed.Healed(true, this.feed.last(), List.of()));
		}
		this.server.add(new TopicEntry(new Position(2, lost.at().messageId()), lost.payload()));
		arrive(1);
		publish(1).forEach(this::arrive);
		assertThat(this.delivered).filteredOn((one) -> !one.equals(GAP)).containsExactly("m1", "m2", "m3", "m4");
	}

	@Test
	void whatIsReadAgainIsNotDeliveredAgain() {
		this.feed.start(null);
		publish(3).forEach(this::arrive);
		this.feed.doubt();
		publish(1).forEach(this::arrive);
		assertThat(this.delivered).containsExactly("m1", "m2", "m3", "m4");
	}

	@Test
	void whatIsDeliveredAsideIsNotDeliveredAgainAndAGapIsTold() {
		this.feed.start(null);
		publish(2).forEach(this::arrive);
		assertThat(this.feed.deliveredAside("n.3")).isTrue();
		assertThat(this.feed.deliveredAside("n.x")).isFalse();
		publish(2).forEach(this::arrive);
		assertThat(this.delivered).containsExactly("m1", "m2", GAP, "m4");
		publish(1).forEach(this::arrive);
		assertThat(this.delivered).endsWith("m4", "m5");
		assertThat(this.feed.deliveredAside("n.y")).isTrue();
		assertThat(this.feed.heal(history(), null)).isEqualTo(new TopicFeed.Healed(true, this.feed.last(), List.of()));
		assertThat(this.feed.heal(history(), null)).isEqualTo(new TopicFeed.Healed(false, this.feed.last(), List.of()));
	}

	@Test
	void whatIsDeliveredAsideIsKnownForATime() {
		this.feed.start(null);
		for (int id = 0; id < 1000; id++) {
			this.feed.deliveredAside("x." + id);
		}
		this.server.add(new TopicEntry(new Position(1, "x.0"), "long ago"));
		this.server.add(new TopicEntry(new Position(2, "x.999"), "lately"));
		arrive(1);
		assertThat(this.delivered).containsExactly(GAP, "long ago");
	}

	/**
	 * Behind a message that did not follow, those that were read with it still arrive.
	 */
	@Test
	void whatWasReadIsNotReadAgainWhenItArrives() {
		this.feed.start(null);
		publish(4);
		arrive(3);
		assertThat(this.delivered).containsExactly("m1", "m2", "m3", "m4");
		for (int index = 1; index < 4; index++) {
			assertThat(this.feed.next(this.server.get(index).at(), this.server.get(index - 1).at()))
				.isEqualTo(TopicFeed.Step.DROP);
		}
	}

	@Test
	void aMessageFromBeforeTheJoinIsNotDelivered() {
		publish(3);
		this.feed.start(top());
		arrive(1);
		assertThat(this.delivered).isEmpty();
	}

	@Test
	void whereNothingIsInCommonWhatArrivesIsNew() {
		this.feed.start(null);
		publish(200).forEach(this::arrive);
		int known = this.delivered.size();
		this.server.clear();
		publish(3).forEach(this::arrive);
		assertThat(this.delivered.subList(known, this.delivered.size())).containsExactly(GAP, "m201", "m202", "m203");
	}

	@Test
	void withoutAHistoryWhatArrivesIsDeliveredBehindAGap() {
		this.feed = new TopicFeed(0);
		this.feed.start(new Position(1, "a"));
		TopicEntry third = new TopicEntry(new Position(3, "c"), "c");
		Position second = new Position(2, "b");
		assertThat(this.feed.next(third.at(), second)).isEqualTo(TopicFeed.Step.READ);
		assertThat(this.feed.heal(new TopicHistory(third.at(), third.at(), List.of()),
				new TopicBacklog.Message(third, second)))
			.isEqualTo(new TopicFeed.Healed(true, second, List.of(third)));
		assertThat(this.feed.next(new Position(4, "d"), third.at())).isEqualTo(TopicFeed.Step.DELIVER);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void nothingIsDoubledAndNothingIsMissingWithoutAGap(long seed) {
		Random random = new Random(seed);
		for (int run = 0; run < 200; run++) {
			this.server.clear();
			this.delivered.clear();
			this.ids = 0;
			this.feed = new TopicFeed(5);
			publish(random.nextInt(8));
			List<String> joined = this.server.stream().map(TopicEntry::payload).toList();
			this.feed.start(top());
			for (int step = 0; step < 60; step++) {
				switch (random.nextInt(10)) {
					case 0 -> publish(random.nextInt(1, 12));
					case 1 -> lose(random.nextInt(1, 4));
					case 2 -> this.feed.doubt();
					case 3 -> arriveAgain(this.server.size() - 1 - random.nextInt(8), joined);
					default -> publish(1).forEach(this::arrive);
				}
			}
			this.feed.doubt();
			publish(1).forEach(this::arrive);
			check(joined);
		}
	}

	/** Each run between gaps is a run of some order that the server has had. */
	private void check(List<String> joined) {
		List<String> messages = this.delivered.stream().filter((one) -> !one.equals(GAP)).toList();
		assertThat(messages).doesNotHaveDuplicates().noneMatch(joined::contains);
		assertThat(this.delivered).last().isEqualTo("m" + this.ids);
		String before = null;
		for (String one : this.delivered) {
			if (!one.equals(GAP) && before != null && !before.equals(GAP)) {
				assertThat(this.followers.get(one)).as(one + " in " + this.delivered).isEqualTo(before);
			}
			before = one;
		}
	}

	private List<Integer> publish(int count) {
		List<Integer> published = new ArrayList<>();
		for (int index = 0; index < count; index++) {
			Position before = top();
			String payload = "m" + ++this.ids;
			if (!this.server.isEmpty()) {
				this.followers.put(payload, this.server.get(this.server.size() - 1).payload());
			}
			this.server.add(
					new TopicEntry(new Position((before != null) ? before.offset() + 1 : 1, "n." + this.ids), payload));
			published.add(this.server.size() - 1);
		}
		return published;
	}

	/** The server forgets its latest messages, and their numbers. */
	private void lose(int count) {
		int left = Math.max(0, this.server.size() - count);
		this.server.subList(left, this.server.size()).clear();
	}

	private @Nullable Position top() {
		return this.server.isEmpty() ? null : this.server.get(this.server.size() - 1).at();
	}

	private void arrive(int index) {
		if (this.server.isEmpty()) {
			return;
		}
		TopicEntry entry = this.server.get(index);
		Position before = (index > 0) ? this.server.get(index - 1).at() : null;
		TopicFeed.Step step = this.feed.next(entry.at(), before);
		if (step == TopicFeed.Step.DELIVER) {
			this.delivered.add(entry.payload());
		}
		if (step == TopicFeed.Step.READ) {
			TopicFeed.Healed healed = this.feed.heal(history(), new TopicBacklog.Message(entry, before));
			if (healed.gap()) {
				this.delivered.add(GAP);
			}
			healed.entries()
				.stream()
				.limit(1)
				.forEach((first) -> assertThat(healed.before()).isEqualTo(predecessor(first)));
			healed.entries().forEach((one) -> this.delivered.add(one.payload()));
		}
	}

	private @Nullable Position predecessor(TopicEntry entry) {
		int index = this.server.indexOf(entry);
		return (index > 0) ? this.server.get(index - 1).at() : null;
	}

	/** What was published before the join does not arrive after it. */
	private void arriveAgain(int index, List<String> joined) {
		if (index >= 0 && !joined.contains(this.server.get(index).payload())) {
			arrive(index);
		}
	}

	private TopicHistory history() {
		int size = this.server.size();
		int known = this.server.stream().map(TopicEntry::at).toList().indexOf(this.feed.last());
		int kept = Math.max(0, size - 5);
		int from = (known >= kept - 1) ? Math.max(0, known) : kept;
		Position before = (from > 0) ? this.server.get(from - 1).at() : null;
		return new TopicHistory(top(), (from < size) ? before : top(), this.server.subList(from, size));
	}

}
