package dev.sluice.cluster.internal.feed;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Why a position names its message: a member that goes by numbers and an epoch, beside a
 * {@link TopicFeed}, where a server has lost its latest messages and kept the epoch.
 */
class NumberedPositionsTests {

	private static final int LOST = 2;

	private final List<TopicEntry> server = new ArrayList<>();

	private final NumbersAndEpoch numbers = new NumbersAndEpoch();

	private final TopicFeed feed = new TopicFeed(200);

	private final List<String> fed = new ArrayList<>();

	private int ids;

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 100 })
	void newMessagesAreLostToWhoeverGoesByNumbersAndToNobodyElse(int count) {
		this.feed.start(null);
		publish(3);
		this.server.subList(this.server.size() - LOST, this.server.size()).clear();
		List<String> news = publish(count);
		assertThat(this.fed).containsAll(news).doesNotHaveDuplicates();
		assertThat(this.numbers.delivered).doesNotContainAnyElementsOf(news.subList(0, Math.min(count, LOST)));
		assertThat(this.numbers.gaps).as("and it does not know").isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { LOST, 100 })
	void whoComesBackWithANumberIsToldThatNothingIsMissing(int count) {
		this.feed.start(null);
		publish(3);
		long number = this.numbers.last;
		Position position = this.feed.last();
		this.server.subList(this.server.size() - LOST, this.server.size()).clear();
		IntStream.range(0, count).forEach((index) -> this.server.add(next()));
		List<String> missed = this.server.subList(1, this.server.size()).stream().map(TopicEntry::payload).toList();
		assertThat(NumbersAndEpoch.recovered(number, this.server)).isNotNull().doesNotContain(missed.get(0));
		this.feed.doubt();
		TopicFeed.Healed healed = this.feed.heal(new TopicHistory(top(), null, this.server), null);
		assertThat(this.server).extracting(TopicEntry::at).doesNotContain(position);
		assertThat(healed.gap()).isTrue();
		assertThat(healed.entries()).extracting(TopicEntry::payload).isEqualTo(missed);
	}

	private List<String> publish(int count) {
		List<String> published = new ArrayList<>();
		for (int index = 0; index < count; index++) {
			Position before = top();
			TopicEntry entry = next();
			this.server.add(entry);
			published.add(entry.payload());
			this.numbers.arrived(entry, this.server);
			switch (this.feed.next(entry.at(), before)) {
				case DELIVER -> this.fed.add(entry.payload());
				case READ ->
					this.feed.heal(new TopicHistory(top(), null, this.server), new TopicBacklog.Message(entry, before))
						.entries()
						.forEach((one) -> this.fed.add(one.payload()));
				case DROP -> {
				}
			}
		}
		return published;
	}

	private TopicEntry next() {
		Position before = top();
		this.ids++;
		return new TopicEntry(new Position((before != null) ? before.offset() + 1 : 1, "n." + this.ids),
				"m" + this.ids);
	}

	private @Nullable Position top() {
		return this.server.isEmpty() ? null : this.server.get(this.server.size() - 1).at();
	}

	/** The next number is delivered, a higher one is a gap, and a lower one is late. */
	private static final class NumbersAndEpoch {

		private final List<String> delivered = new ArrayList<>();

		private long last;

		private int gaps;

		void arrived(TopicEntry entry, List<TopicEntry> history) {
			if (entry.at().offset() == this.last + 1) {
				this.delivered.add(entry.payload());
				this.last++;
			}
			else if (entry.at().offset() > this.last) {
				List<String> missed = recovered(this.last, history);
				this.gaps += (missed != null) ? 0 : 1;
				this.last = entry.at().offset();
			}
		}

		/** Returns what follows a number, as the epoch is the same. */
		static @Nullable List<String> recovered(long number, List<TopicEntry> history) {
			long top = history.get(history.size() - 1).at().offset();
			return (number <= top)
					? history.subList((int) number, history.size()).stream().map(TopicEntry::payload).toList() : null;
		}

	}

}
