package dev.sluice.cluster.internal.feed;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Position;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

class RepeatedPublicationTests {

	private final Publication publication = new Publication("name", "id", "text",
			new HistoryLimits(1, Duration.ofMinutes(1)), false);

	private final Published published = new Published(new Position(1, "id"), Set.of());

	private final BusUnavailableException undecided = new BusUnavailableException("no answer", true, null);

	private final BusUnavailableException decided = new BusUnavailableException("unavailable", false, null);

	private final ClusterBus bus = mock();

	@Test
	void whatMayHaveBeenPublishedIsPublishedAgain() {
		given(this.bus.publish(this.publication)).willReturn(CompletableFuture.failedFuture(this.undecided));
		given(this.bus.publish(this.publication.again())).willReturn(CompletableFuture.completedFuture(this.published));
		assertThat(publish()).isCompletedWithValue(this.published);
	}

	@Test
	void whatWasNotPublishedFails() {
		given(this.bus.publish(this.publication)).willReturn(CompletableFuture.failedFuture(this.decided));
		assertThat(publish()).isCompletedExceptionally();
	}

	/** The second attempt tells nothing of the first. */
	@Test
	void whatMayHaveBeenPublishedIsNotCalledUnpublishedAsTheSecondAttemptWasNot() {
		given(this.bus.publish(this.publication)).willReturn(CompletableFuture.failedFuture(this.undecided));
		given(this.bus.publish(this.publication.again())).willReturn(CompletableFuture.failedFuture(this.decided));
		assertThat(publish()).failsWithin(Duration.ZERO).withThrowableThat().havingCause().isSameAs(this.undecided);
	}

	private CompletableFuture<Published> publish() {
		return RepeatedPublication.publish(this.bus, this.publication);
	}

}
