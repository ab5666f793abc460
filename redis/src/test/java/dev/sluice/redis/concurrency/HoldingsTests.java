package dev.sluice.redis.concurrency;

import java.util.List;

import dev.sluice.redis.concurrency.Holdings.Holding;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What counts as being inside beside another. */
class HoldingsTests {

	private static final long MOMENT = 100;

	@Test
	void nobodyMayBeginBeforeAnotherHasEnded() {
		assertThat(overlaps(holding(0, 500), holding(499, 700))).hasSize(1);
		assertThat(overlaps(holding(0, 500), holding(500, 700))).isEmpty();
	}

	@Test
	void whoIsLostMayHearOfItAMomentLate() {
		assertThat(overlaps(lost(0, 500), holding(399, 700))).hasSize(1);
		assertThat(overlaps(lost(0, 500), holding(400, 700))).isEmpty();
	}

	@Test
	void whoHasAwokenLateMustBeToldWithinAMoment() {
		assertThat(overlaps(holding(0, 500), lost(100, 201))).hasSize(1);
		assertThat(overlaps(holding(0, 500), lost(100, 200))).isEmpty();
	}

	private static List<String> overlaps(Holding... holdings) {
		return Holdings.overlaps(List.of(holdings), MOMENT);
	}

	private static Holding holding(long from, long till) {
		return new Holding(from, from, till, false);
	}

	private static Holding lost(long from, long till) {
		return new Holding(from, from, till, true);
	}

}
