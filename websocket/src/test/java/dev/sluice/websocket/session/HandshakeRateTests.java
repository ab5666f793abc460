package dev.sluice.websocket.session;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.sluice.test.SettableClock;
import dev.sluice.websocket.settings.QuotaLimits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandshakeRateTests {

	private final SettableClock clock = new SettableClock();

	@Test
	void asManyAsOfASecondBeginAtOnceThenOneAtATime() {
		SessionAdmission admission = admission(10);
		assertThat(begun(admission, 30)).isEqualTo(10);
		this.clock.advance(Duration.ofMillis(99));
		assertThat(begun(admission, 5)).isZero();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(begun(admission, 5)).isEqualTo(1);
		this.clock.advance(Duration.ofHours(1));
		assertThat(begun(admission, 30)).isEqualTo(10);
	}

	@Test
	void threadsTakeNoneTwice() {
		SessionAdmission admission = admission(500);
		AtomicInteger begun = new AtomicInteger();
		IntStream.range(0, 5_000)
			.parallel()
			.filter((number) -> admission.isWithinRate())
			.forEach((number) -> begun.incrementAndGet());
		assertThat(begun).hasValue(500);
	}

	@Test
	void withoutALimitAllBegin() {
		assertThat(begun(admission(Integer.MAX_VALUE), 10_000)).isEqualTo(10_000);
	}

	private SessionAdmission admission(int handshakeRate) {
		return new SessionAdmission(new SessionQuota(QuotaLimits.NONE), handshakeRate, this.clock);
	}

	private static long begun(SessionAdmission admission, int tries) {
		return IntStream.range(0, tries).filter((number) -> admission.isWithinRate()).count();
	}

}
