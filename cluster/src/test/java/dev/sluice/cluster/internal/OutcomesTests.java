package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Attacks the memory of what was done: it is bounded, and nothing is done twice. */
class OutcomesTests {

	private final SettableClock clock = new SettableClock();

	private final Outcomes outcomes = new Outcomes("me", this.clock, Duration.ofSeconds(60), 10);

	@Test
	void nothingIsBegunTwiceHoweverMuchIsForgotten() {
		Random random = new Random(1);
		Set<String> begun = new HashSet<>();
		for (int step = 0; step < 20_000; step++) {
			String origin = "node-" + random.nextInt(3);
			long number = step / 10 + random.nextInt(200);
			if (this.outcomes.begin(origin, number)) {
				assertThat(begun.add(origin + number)).isTrue();
				this.outcomes.end(origin, Answer.of("me", number, Answer.State.DONE, 1));
			}
			this.clock.advance(Duration.ofMillis(random.nextInt(100)));
		}
		assertThat(begun).hasSizeGreaterThan(1000);
	}

	@Test
	void aNumberIsUnheardThenPendingThenDoneThenForgotten() {
		assertThat(state(1)).isEqualTo(Answer.State.UNHEARD);
		this.outcomes.begin("other", 1);
		this.outcomes.count("other", 1, 5);
		assertThat(this.outcomes.find("other", 1)).isEqualTo(Answer.of("me", 1, Answer.State.PENDING, 5));
		this.outcomes.end("other", Answer.of("me", 1, Answer.State.DONE, 5));
		assertThat(state(1)).isEqualTo(Answer.State.DONE);
		for (int number = 2; number < 20; number++) {
			this.outcomes.begin("other", number);
			this.outcomes.end("other", Answer.of("me", number, Answer.State.DONE, 5));
		}
		assertThat(state(1)).isEqualTo(Answer.State.FORGOTTEN);
		assertThat(this.outcomes.begin("other", 1)).isFalse();
		assertThat(state(19)).isEqualTo(Answer.State.DONE);
	}

	private Answer.State state(long number) {
		return this.outcomes.find("other", number).state();
	}

}
