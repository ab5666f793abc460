package dev.sluice.cluster.internal.traffic;

import java.time.Duration;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LagSamplerTests {

	private final SettableClock clock = new SettableClock();

	private final LagSampler sampler = new LagSampler(this.clock);

	@Test
	void onePublicationIsTimedAtATime() {
		this.sampler.publishing("a");
		this.clock.advance(Duration.ofMillis(5));
		this.sampler.publishing("b");
		this.sampler.heard("b");
		assertThat(this.sampler.lag().count()).isZero();
		this.sampler.heard("a");
		this.sampler.heard("a");
		assertThat(this.sampler.lag()).isEqualTo(new LagSampler.Lag(1, Duration.ofMillis(5), Duration.ofMillis(5)));
	}

	@Test
	void whatIsNotHeardHereGivesWay() {
		this.sampler.publishing("a");
		this.sampler.unheard("b");
		this.sampler.unheard("a");
		this.sampler.publishing("b");
		this.clock.advance(Duration.ofMillis(3));
		this.sampler.heard("b");
		assertThat(this.sampler.lag().last()).isEqualTo(Duration.ofMillis(3));
	}

	@Test
	void whatIsLostGivesWayAfterSomeTime() {
		this.sampler.publishing("lost");
		this.clock.advance(Duration.ofSeconds(10));
		this.sampler.publishing("b");
		this.clock.advance(Duration.ofMillis(3));
		this.sampler.heard("lost");
		this.sampler.heard("b");
		assertThat(this.sampler.lag()).isEqualTo(new LagSampler.Lag(1, Duration.ofMillis(3), Duration.ofMillis(3)));
	}

}
