package dev.sluice.throttle.internal.failover;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NodeCountsTests {

	private final NodeCounts counts = new NodeCounts();

	@Test
	void whatTheServerHasNotHeardIsToldAgain() {
		this.counts.admitted(3);
		this.counts.rejected("k");
		NodeCounts.Sums untold = this.counts.take();
		assertThat(this.counts.isEmpty()).isTrue();

		this.counts.admitted(2);
		this.counts.putBack(untold);

		assertThat(this.counts.take()).isEqualTo(new NodeCounts.Sums(5, 1));
	}

	@Test
	void rejectionsOfAKeyStayWhateverIsTold() {
		this.counts.rejected("k");
		this.counts.take();
		this.counts.rejected("k");

		assertThat(this.counts.rejectedOf("k")).isEqualTo(2);
		assertThat(this.counts.rejectedOf("other")).isZero();
	}

	@Test
	void countsOfKeysAreBounded() {
		this.counts.rejected("first");
		for (int i = 0; i < 10_000; i++) {
			this.counts.rejected("k" + i);
		}

		assertThat(this.counts.rejectedOf("first")).isZero();
		assertThat(this.counts.rejectedOf("k9999")).isEqualTo(1);
		assertThat(this.counts.take().rejected()).isEqualTo(10_001);
	}

}
