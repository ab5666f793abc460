package dev.sluice.websocket.outbound;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class SendProgressTests {

	private final SendProgress progress = new SendProgress(new OutboundState("s"), NanoClock.system());

	private final CompletableFuture<@Nullable Void> sending = new CompletableFuture<>();

	@Test
	void whoeverClosesWaitsForAMessageThatAnotherThreadHandsOver() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch accepted = new CountDownLatch(1);
		Thread sender = new Thread(() -> {
			this.progress.handOver();
			this.progress.begin();
			begun.countDown();
			awaitUninterruptibly(accepted);
			this.progress.track(this.sending, null);
			this.progress.handedOver();
		});
		sender.start();
		begun.await();

		CompletableFuture<?> idle = this.progress.idle();

		assertThat(idle).isNotDone();
		accepted.countDown();
		sender.join();
		assertThat(idle).isNotDone();
		this.sending.complete(null);
		assertThat(idle).isCompleted();
	}

	@Test
	void whoeverClosesGoesOnWhenTheMessageIsRejected() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch rejected = new CountDownLatch(1);
		Thread sender = new Thread(() -> {
			this.progress.handOver();
			begun.countDown();
			awaitUninterruptibly(rejected);
			this.progress.handedOver();
		});
		sender.start();
		begun.await();

		CompletableFuture<?> idle = this.progress.idle();

		assertThat(idle).isNotDone();
		rejected.countDown();
		sender.join();
		assertThat(idle).isCompleted();
	}

	/** The container may close while it is given a message, on the same thread. */
	@Test
	void aThreadDoesNotWaitForWhatItHandsOverItself() {
		this.progress.handOver();

		assertThat(this.progress.idle()).isCompleted();
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
