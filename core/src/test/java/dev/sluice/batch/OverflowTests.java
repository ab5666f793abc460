package dev.sluice.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/** What happens at the bound of a slot (promise 6). */
@Timeout(60)
class OverflowTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final HeldPump pump = new HeldPump();

	@Test
	void aFullSlotRejectsAndTakesAgainWhenABatchHasGone() {
		BatchConsumer<Integer> consumer = builder(SlotOverflow.REJECT).slots(2).build();
		push(consumer, 0, 5);
		CompletableFuture<?> rejected = consumer.push(5, 0);
		SlotFullException reason = (SlotFullException) failure(rejected);
		assertThat(reason).hasMessage("Slot 0 is full; the limit of waiting items is 5");
		assertThat(reason.slot()).isZero();
		assertThat(reason.maxWaiting()).isEqualTo(5);
		assertThat(consumer.push(0, 1)).isNotDone();
		consumer.start(this.pump);
		assertThat(this.pump.batches()).containsExactly(List.of(0, 1));
		assertThat(push(consumer, 6, 2)).noneMatch(CompletableFuture::isDone);
		assertThat(failure(consumer.push(8, 0))).isInstanceOf(SlotFullException.class);
		assertThat(consumer.snapshot().slots().get(0).rejected()).isEqualTo(2);
	}

	@Test
	void theOldestIsDroppedForTheNewest() {
		BatchConsumer<Integer> consumer = builder(SlotOverflow.DROP_OLDEST).build();
		List<CompletableFuture<?>> futures = push(consumer, 0, 12);
		for (int i = 0; i < 7; i++) {
			assertThat(failure(futures.get(i))).isInstanceOf(ItemDroppedException.class)
				.hasMessage("Item dropped by DROP_OLDEST because slot 0 was full");
		}
		consumer.start(this.pump);
		this.pump.call(0).succeed();
		this.pump.call(1).succeed();
		consumer.complete(true);
		assertThat(this.pump.batches()).containsExactly(List.of(7, 8), List.of(9, 10), List.of(11));
		assertThat(consumer.snapshot().slots().get(0).dropped()).isEqualTo(7);
	}

	@Test
	void theNewestIsDropped() {
		BatchConsumer<Integer> consumer = builder(SlotOverflow.DROP_NEWEST).build();
		List<CompletableFuture<?>> futures = push(consumer, 0, 6);
		assertThat(failure(futures.get(5))).isInstanceOf(ItemDroppedException.class);
		assertThat(futures.subList(0, 5)).noneMatch(CompletableFuture::isDone);
	}

	@Test
	void pushersWaitForPlacesFirstComeFirstServed() {
		BatchConsumer<Integer> consumer = builder(SlotOverflow.BLOCK).maxBlock(LONG).build();
		consumer.start(this.pump);
		push(consumer, 0, 7);
		List<Thread> pushers = new ArrayList<>();
		for (int i = 7; i < 11; i++) {
			int item = i;
			Thread pusher = new Thread(() -> consumer.push(item, 0));
			pusher.start();
			await().until(() -> pusher.getState() == Thread.State.TIMED_WAITING);
			pushers.add(pusher);
		}
		for (int i = 0; i < 5; i++) {
			int call = i;
			await().until(() -> this.pump.count() > call);
			this.pump.call(call).succeed();
		}
		await().until(() -> pushers.stream().noneMatch(Thread::isAlive));
		consumer.complete(true);
		await().until(() -> this.pump.count() == 6);
		assertThat(this.pump.batches().stream().flatMap(List::stream)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
				10);
	}

	@Test
	void aPusherThatWaitedInVainIsRejected() {
		BatchConsumer<Integer> consumer = builder(SlotOverflow.BLOCK).maxBlock(Duration.ofMillis(1)).build();
		push(consumer, 0, 5);
		assertThat(failure(consumer.push(5, 0))).isInstanceOf(SlotFullException.class);
	}

	@Test
	void aPusherThatWaitsAsTheConsumerIsCompletedEndsAtOnce() {
		BatchConsumer<Integer> consumer = builder(SlotOverflow.BLOCK).maxBlock(LONG).build();
		consumer.start(this.pump);
		push(consumer, 0, 7);
		CompletableFuture<Throwable> pushed = new CompletableFuture<>();
		Thread pusher = new Thread(() -> pushed.complete(failure(consumer.push(7, 0))));
		pusher.start();
		await().until(() -> pusher.getState() == Thread.State.TIMED_WAITING);

		CompletableFuture<?> completed = consumer.complete(true);

		assertThat(pushed).succeedsWithin(Duration.ofSeconds(10)).isInstanceOf(ItemDroppedException.class);
		assertThat(completed).isNotDone();
	}

	@Test
	void aPusherThatIsInterruptedIsRejectedAndStaysInterrupted() {
		BatchConsumer<Integer> consumer = builder(SlotOverflow.BLOCK).maxBlock(LONG).build();
		push(consumer, 0, 5);
		Thread.currentThread().interrupt();
		assertThat(failure(consumer.push(5, 0))).isInstanceOf(SlotFullException.class);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void aPumpThatPushesToItsOwnFullSlotDoesNotWaitForItself() throws InterruptedException {
		ExecutorService pool = Executors.newSingleThreadExecutor();
		BatchConsumer<Integer> consumer = builder(SlotOverflow.BLOCK).maxBlock(LONG).executor(pool).build();
		AtomicReference<CompletableFuture<?>> own = new AtomicReference<>();
		CountDownLatch pushed = new CountDownLatch(1);
		push(consumer, 0, 5);
		consumer.start((items, slot) -> {
			if (own.get() == null) {
				consumer.push(5, 0);
				consumer.push(6, 0);
				own.set(consumer.push(7, 0));
				pushed.countDown();
			}
			return new CompletableFuture<>();
		});
		pushed.await();
		assertThat(failure(own.get())).isInstanceOf(SlotFullException.class);
		pool.shutdown();
	}

	@Test
	void theBoundIsExactWhateverTheNumberOfPushers() throws InterruptedException {
		for (int round = 0; round < 200; round++) {
			BatchConsumer<Integer> consumer = builder(SlotOverflow.REJECT).maxWaiting(100).build();
			List<Thread> pushers = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				Thread pusher = new Thread(() -> push(consumer, 0, 40));
				pushers.add(pusher);
				pusher.start();
			}
			for (Thread pusher : pushers) {
				pusher.join();
			}
			SlotSnapshot slot = consumer.snapshot().slots().get(0);
			assertThat(slot.waiting()).isEqualTo(100);
			assertThat(slot.rejected()).isEqualTo(60);
		}
	}

	private static List<CompletableFuture<?>> push(BatchConsumer<Integer> consumer, int first, int count) {
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = first; i < first + count; i++) {
			futures.add(consumer.push(i, 0));
		}
		return futures;
	}

	private static Throwable failure(CompletableFuture<?> future) {
		return catchThrowableOfType(CompletionException.class, () -> future.getNow(null)).getCause();
	}

	private static BatchConsumer.Builder<Integer> builder(SlotOverflow overflow) {
		return BatchConsumer.<Integer>builder()
			.batchSize(2)
			.maxWaiting(5)
			.overflow(overflow)
			.pushInterval(Duration.ofDays(1))
			.executor(Runnable::run);
	}

}
