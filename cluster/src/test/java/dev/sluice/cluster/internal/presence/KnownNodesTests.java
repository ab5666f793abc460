package dev.sluice.cluster.internal.presence;

import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KnownNodesTests {

	private final KnownNodes nodes = new KnownNodes();

	@Test
	void aNodeThatWasSeenAndIsNotAnyMoreHasDied() {
		assertThat(this.nodes.observe(Set.of("a", "b"))).isFalse();
		assertThat(this.nodes.stateOf("b", 0)).isEqualTo(KnownNodes.State.LIVE);
		assertThat(this.nodes.observe(Set.of("a"))).isTrue();
		assertThat(this.nodes.stateOf("b", 0)).isEqualTo(KnownNodes.State.DEAD);
		assertThat(this.nodes.observe(Set.of("a"))).as("that was told").isFalse();
		assertThat(this.nodes.observe(Set.of("a", "b"))).isFalse();
		assertThat(this.nodes.stateOf("b", 0)).isEqualTo(KnownNodes.State.LIVE);
	}

	@Test
	void aNodeThatWasNeverSeenMayBeNew() {
		long patience = KnownNodes.PATIENCE.toNanos();
		this.nodes.observe(Set.of("a"));
		assertThat(this.nodes.stateOf("b", 5)).isEqualTo(KnownNodes.State.UNKNOWN);
		assertThat(this.nodes.stateOf("b", 4 + patience)).isEqualTo(KnownNodes.State.UNKNOWN);
		assertThat(this.nodes.stateOf("b", 5 + patience)).isEqualTo(KnownNodes.State.DEAD);
		this.nodes.observe(Set.of("a", "b"));
		assertThat(this.nodes.stateOf("b", 6 + patience)).isEqualTo(KnownNodes.State.LIVE);
	}

	@Test
	void aBoundedNumberIsRemembered() {
		for (int index = 0; index < 5000; index++) {
			this.nodes.observe(Set.of("a", "node" + index));
			this.nodes.stateOf("stranger" + index, 0);
		}
		assertThat(this.nodes.stateOf("node0", 0)).isEqualTo(KnownNodes.State.UNKNOWN);
		assertThat(this.nodes.stateOf("node4998", 0)).isEqualTo(KnownNodes.State.DEAD);
		assertThat(this.nodes.stateOf("a", 0)).isEqualTo(KnownNodes.State.LIVE);
	}

}
