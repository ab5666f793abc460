package dev.sluice.cluster.internal.feed;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TopicArrivalsTests {

	private final TopicArrivals<String> arrivals = new TopicArrivals<>();

	private final List<String> done = new ArrayList<>();

	@Test
	void whoLeavesBeforeThePartyHasATurnLeavesInIt() {
		TopicArrivals<String>.JoinBatch batch = this.arrivals.add("room", arrival("ann", false));
		assertThat(this.arrivals.add("room", arrival("bob", false))).isNull();
		assertThat(this.arrivals.addLeaving("room", arrival("bob", true))).isTrue();
		assertThat(this.arrivals.addLeaving("room", arrival("cid", true))).isFalse();
		assertThat(this.arrivals.addLeaving("hall", arrival("bob", true))).isFalse();
		assertThat(batch).isNotNull();
		assertThat(batch.begin()).isFalse();
		assertThat(this.arrivals.addLeaving("room", arrival("ann", true))).isFalse();
		batch.end("room", TopicArrivals.NOT_READ, null);
		assertThat(this.done).containsExactly("ann joins", "bob joins", "bob leaves");
	}

	private TopicArrivals.Arrival<String> arrival(String session, boolean leaves) {
		return new TopicArrivals.Arrival<>(session, null, leaves,
				(topic, history) -> this.done.add(session + (leaves ? " leaves" : " joins")), (failure) -> {
				});
	}

}
