package dev.sluice.websocket.outbound;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.execution.Level;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.message.TotalBuffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Timeout(30)
class SendBufferTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	private static final Duration SHORT = Duration.ofMillis(20);

	private final SendBuffer buffer = new SendBuffer(100, SendOverflow.TERMINATE, TotalBuffers.unbounded());

	private final AtomicLong progress = new AtomicLong();

	/** The latest that waits for room. */
	private Thread thread;

	@Test
	void aThreadWaitsUntilHalfOfTheBufferIsFree() {
		fill();
		CompletableFuture<Boolean> room = awaitRoom(LONG);
		await().until(() -> this.thread.getState() == Thread.State.TIMED_WAITING);
		this.buffer.releaseWaiting(40);
		assertThat(room).isNotDone();
		this.buffer.releaseWaiting(20);
		assertThat(room).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
		assertThat(this.buffer).hasToString("50 bytes waiting to be sent; the limit is 100");
	}

	@Test
	void manyThreadsFindRoomOneAfterTheOther() {
		fill();
		CompletableFuture<?>[] rooms = new CompletableFuture<?>[20];
		for (int i = 0; i < rooms.length; i++) {
			rooms[i] = awaitRoom(LONG).thenAccept((room) -> this.buffer.releaseWaiting(10));
		}
		this.buffer.releaseWaiting(100);
		assertThat(CompletableFuture.allOf(rooms)).succeedsWithin(Duration.ofSeconds(10));
		assertThat(this.buffer).hasToString("0 bytes waiting to be sent; the limit is 100");
	}

	@Test
	void withoutProgressThereIsNoRoom() {
		fill();
		assertThat(awaitRoom(SHORT)).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
	}

	@Test
	void withProgressAThreadWaitsForLonger() {
		fill();
		AtomicLong looks = new AtomicLong();
		CompletableFuture<Boolean> room = async(() -> this.buffer.awaitRoom(10, SHORT, () -> {
			looks.incrementAndGet();
			return this.progress.incrementAndGet();
		}));
		await().until(() -> looks.get() > 6);
		assertThat(room).isNotDone();
		this.buffer.releaseWaiting(100);
		assertThat(room).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
	}

	@Test
	void nobodyWaitsOnceTheSessionHasEnded() {
		fill();
		CompletableFuture<Boolean> room = awaitRoom(LONG);
		this.buffer.end();
		assertThat(room).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
		assertThat(awaitRoom(LONG)).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(false);
	}

	private void fill() {
		assertThat(this.buffer.reserve(100, Level.NORMAL, "1")).isTrue();
		assertThat(this.buffer.reserve(10, Level.NORMAL, "1")).isFalse();
	}

	private CompletableFuture<Boolean> awaitRoom(Duration patience) {
		return async(() -> this.buffer.awaitRoom(10, patience, this.progress::get));
	}

	private <T> CompletableFuture<T> async(Callable<T> call) {
		return CompletableFuture.supplyAsync(() -> {
			try {
				return call.call();
			}
			catch (Exception ex) {
				throw new CompletionException(ex);
			}
		}, (task) -> {
			this.thread = new Thread(task);
			this.thread.start();
		});
	}

}
