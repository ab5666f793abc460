package dev.sluice.test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SettableClockTests {

	private final SettableClock clock = new SettableClock(Long.MAX_VALUE - 10);

	private final List<String> ran = new ArrayList<>();

	@Test
	void standsStillUntilItIsAdvanced() {
		long before = this.clock.nanoTime();

		this.clock.advance(Duration.ofNanos(30));

		assertThat(this.clock.nanoTime() - before).isEqualTo(30);
		assertThatIllegalArgumentException().isThrownBy(() -> this.clock.advanceNanos(-1));
	}

	@Test
	void zeroIsTheEpoch() {
		assertThat(SettableClock.at(Instant.ofEpochSecond(3, 7)).nanoTime()).isEqualTo(3_000_000_007L);
	}

	@Test
	void runsWhatIsDueInTheOrderOfTimeAtItsTime() {
		long start = this.clock.nanoTime();
		this.clock.schedule(() -> note("late", start), Duration.ofNanos(20));
		this.clock.schedule(() -> {
			note("early", start);
			this.clock.schedule(() -> note("later", start), Duration.ofNanos(7));
		}, Duration.ofNanos(5));

		this.clock.advanceNanos(19);
		assertThat(this.ran).containsExactly("early at 5", "later at 12");
		this.clock.advanceNanos(1);
		assertThat(this.ran).containsExactly("early at 5", "later at 12", "late at 20");
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void cancelledTaskDoesNotRun() {
		Future<?> task = this.clock.schedule(() -> note("cancelled", 0), Duration.ofNanos(1));

		assertThat(task.cancel(false)).isTrue();

		assertThat(this.clock.scheduled()).isZero();
		this.clock.advanceNanos(1);
		assertThat(this.ran).isEmpty();
	}

	private void note(String name, long start) {
		this.ran.add(name + " at " + (this.clock.nanoTime() - start));
	}

}
