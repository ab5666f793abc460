package dev.sluice.cluster.resume;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandOverRequestsTests {

	private final HandOverRequests requests = new HandOverRequests();

	@Test
	void aRequestWaitsForAClaimBeforeItAndNotForOneBehindIt() {
		CompletableFuture<String> lower = this.requests.add("key", 2);
		CompletableFuture<String> higher = this.requests.add("key", 4);
		CompletableFuture<String> another = this.requests.add("another", 2);
		this.requests.claimed("key", 3);
		assertThat(lower).isCompletedWithValue(HandOverRequests.NOTHING);
		assertThat(higher).isNotDone();
		assertThat(another).isNotDone();
		assertThat(this.requests.add("key", 2)).isCompletedWithValue(HandOverRequests.NOTHING);
		this.requests.ended("key");
		assertThat(this.requests.add("key", 2)).isNotDone();
	}

}
