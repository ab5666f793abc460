package dev.sluice.redis.bus;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SubscriptionProbeTests {

	private final SubscriptionProbe probe = new SubscriptionProbe();

	@Test
	void probesThatAreAnsweredAndHeardShowNothing() {
		for (int round = 0; round < 10; round++) {
			long number = this.probe.next();
			this.probe.received(number);
			this.probe.answered(number);
			assertThat(this.probe.isDeliveryLost() || this.probe.isUnanswered()).isFalse();
		}
	}

	@Test
	void theThirdProbeThatIsAnsweredButNotHeardShowsThatNothingIs() {
		for (int round = 1; round <= 3; round++) {
			assertThat(this.probe.isDeliveryLost()).isFalse();
			this.probe.answered(this.probe.next());
		}
		assertThat(this.probe.isDeliveryLost()).isTrue();
		assertThat(this.probe.isUnanswered()).isFalse();
		this.probe.reset();
		assertThat(this.probe.isDeliveryLost()).isFalse();
	}

	@Test
	void theThirdProbeWithoutAnAnswerShowsThatNothingIsAnswered() {
		for (int round = 1; round <= 3; round++) {
			assertThat(this.probe.isUnanswered()).isFalse();
			this.probe.next();
		}
		assertThat(this.probe.isUnanswered()).isTrue();
		assertThat(this.probe.isDeliveryLost()).isFalse();
		this.probe.reset();
		assertThat(this.probe.isUnanswered()).isFalse();
	}

	@Test
	void theWayIsSilentUntilAProbeIsHeardThoughConnectionsAreOthers() {
		this.probe.answered(this.probe.next());
		assertThat(this.probe.isSilent()).as("under way").isFalse();
		this.probe.answered(this.probe.next());
		assertThat(this.probe.isSilent()).isTrue();
		this.probe.reset();
		assertThat(this.probe.isSilent()).isTrue();
		this.probe.received(this.probe.next());
		assertThat(this.probe.isSilent()).isFalse();
	}

	@Test
	void whatIsHeardLateOrTwiceChangesNothing() {
		this.probe.next();
		long second = this.probe.next();
		this.probe.received(second);
		this.probe.received(1);
		this.probe.answered(second);
		this.probe.answered(1);
		this.probe.next();
		assertThat(this.probe.isDeliveryLost() || this.probe.isUnanswered()).isFalse();
	}

}
