package dev.sluice.websocket.session;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandshakeRateTests {

	private final SettableClock clock = new SettableClock();

	@Test
	void asManyAsOfASecondBeginAtOnceThenOneAtATime() {
		HandshakeRate rate = new HandshakeRate(10, this.clock);
		assertThat(begun(rate, 30)).isEqualTo(10);
		this.clock.advance(Duration.ofMillis(99));
		assertThat(begun(rate, 5)).isZero();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(begun(rate, 5)).isEqualTo(1);
		this.clock.advance(Duration.ofHours(1));
		assertThat(begun(rate, 30)).isEqualTo(10);
	}

	@Test
	void threadsTakeNoneTwice() {
		HandshakeRate rate = new HandshakeRate(500, this.clock);
		AtomicInteger begun = new AtomicInteger();
		IntStream.range(0, 5_000)
			.parallel()
			.filter((number) -> rate.tryBegin())
			.forEach((number) -> begun.incrementAndGet());
		assertThat(begun).hasValue(500);
	}

	@Test
	void withoutALimitAllBegin() {
		assertThat(begun(new HandshakeRate(Integer.MAX_VALUE, this.clock), 10_000)).isEqualTo(10_000);
	}

	private static long begun(HandshakeRate rate, int tries) {
		return IntStream.range(0, tries).filter((number) -> rate.tryBegin()).count();
	}

}
