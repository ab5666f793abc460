package dev.sluice.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What is in a batch, and what becomes of it (promise 1). */
class BatchTests {

	private static final CompletableFuture<?> DONE = CompletableFuture.completedFuture(null);

	private final HeldPump pump = new HeldPump();

	@Test
	void aBatchGoesOutWhenItIsFullWithItsItemsInOrder() {
		BatchConsumer<Integer> consumer = builder().maxConcurrency(2).build();
		consumer.start(this.pump);
		push(consumer, 0, 5);
		assertThat(this.pump.batches()).containsExactly(List.of(0, 1, 2));
		push(consumer, 5, 1);
		assertThat(this.pump.batches()).containsExactly(List.of(0, 1, 2), List.of(3, 4, 5));
	}

	@Test
	void aBatchHoldsItemsOfOneSlotOnly() {
		BatchConsumer<Integer> consumer = builder().slots(2).build();
		consumer.start(this.pump);
		for (int i = 0; i < 6; i++) {
			consumer.push(i, i % 2);
		}
		assertThat(this.pump.batches()).containsExactly(List.of(0, 2, 4), List.of(1, 3, 5));
		assertThat(this.pump.call(0).slot()).isEqualTo(0);
		assertThat(this.pump.call(1).slot()).isEqualTo(1);
	}

	@Test
	void theFutureOfAnItemEndsWithItsBatch() {
		BatchConsumer<Integer> consumer = builder().maxConcurrency(2).build();
		consumer.start(this.pump);
		List<CompletableFuture<?>> futures = push(consumer, 0, 6);
		assertThat(futures).noneMatch(CompletableFuture::isDone);
		this.pump.call(1).succeed();
		assertThat(futures.subList(0, 3)).noneMatch(CompletableFuture::isDone);
		assertThat(futures.subList(3, 6)).allSatisfy((future) -> assertThat(future).isCompleted());
		this.pump.call(0).succeed();
		assertThat(futures).allSatisfy((future) -> assertThat(future).isCompleted());
	}

	@Test
	void anItemGoesOutEvenIfItsFutureIsCancelled() {
		BatchConsumer<Integer> consumer = builder().build();
		consumer.start(this.pump);
		consumer.push(0, 0).cancel(false);
		push(consumer, 1, 2);
		assertThat(this.pump.batches()).containsExactly(List.of(0, 1, 2));
		this.pump.call(0).succeed();
		assertThat(consumer.snapshot().slots().get(0).completed()).isEqualTo(3);
	}

	@Test
	void whatIsPushedBeforeTheStartWaitsForIt() {
		BatchConsumer<Integer> consumer = builder().build();
		push(consumer, 0, 7);
		consumer.start((items, slot) -> {
			this.pump.pump(items, slot);
			return DONE;
		});
		assertThat(this.pump.batches()).containsExactly(List.of(0, 1, 2), List.of(3, 4, 5));
		assertThat(consumer.snapshot().waiting()).isEqualTo(1);
	}

	@Test
	void listsAreUsedAgainAndCannotBeChanged() {
		BatchConsumer<Integer> consumer = builder().build();
		List<List<Integer>> lists = new ArrayList<>();
		consumer.start((items, slot) -> {
			lists.add(items);
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> items.set(0, 1));
			return DONE;
		});
		push(consumer, 0, 6);
		assertThat(lists).hasSize(2);
		assertThat(lists.get(0)).isSameAs(lists.get(1)).isEmpty();
	}

	@Test
	void aPumpThatKeepsItsListsAsksForCopies() {
		BatchConsumer<Integer> consumer = builder().build();
		List<List<Integer>> kept = new ArrayList<>();
		consumer.start(BatchPump.copying((items, slot) -> {
			kept.add(items);
			return DONE;
		}));
		push(consumer, 0, 6);
		assertThat(kept).containsExactly(List.of(0, 1, 2), List.of(3, 4, 5));
	}

	@Test
	void anItemThatIsGoneIsNotKept() {
		BatchConsumer<Integer> consumer = builder().build();
		consumer.start((items, slot) -> DONE);
		List<CompletableFuture<?>> futures = push(consumer, 0, 4);
		assertThat(futures.subList(0, 3)).allSatisfy((future) -> {
			assertThat(((Item<?>) future).value).isNull();
			assertThat(((Item<?>) future).next).isNull();
		});
	}

	@Test
	void aBacklogComesOutInOrderWhateverWasAbsorbedBefore() {
		BatchConsumer<Integer> consumer = builder().maxConcurrency(1).build();
		consumer.start(this.pump);
		push(consumer, 0, 20);
		this.pump.call(0).succeed();
		push(consumer, 20, 25);
		for (int i = 1; i < 15; i++) {
			this.pump.call(i).succeed();
		}
		assertThat(this.pump.batches().stream().flatMap(List::stream))
			.containsExactlyElementsOf(IntStream.range(0, 45).boxed().toList());
		assertThat(this.pump.batches()).allSatisfy((batch) -> assertThat(batch).hasSize(3));
	}

	@Test
	void badArgumentsAreRejectedByName() {
		BatchConsumer<Integer> consumer = builder().slots(2).build();
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> consumer.push(1, 2))
			.withMessage("'slot' must be at least 0 and less than 2: 2");
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> consumer.push(1, -1));
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> builder().slots(0));
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> builder().pushInterval(Duration.ZERO));
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> builder().maxConcurrency(0));
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> builder().maxBlock(Duration.ofNanos(-1)));
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> builder().batchSize(10).maxWaiting(9).build())
			.withMessageContaining("9, 10");
	}

	private static List<CompletableFuture<?>> push(BatchConsumer<Integer> consumer, int first, int count) {
		List<CompletableFuture<?>> futures = new ArrayList<>();
		for (int i = first; i < first + count; i++) {
			futures.add(consumer.push(i, 0));
		}
		return futures;
	}

	private static BatchConsumer.Builder<Integer> builder() {
		return BatchConsumer.<Integer>builder().batchSize(3).pushInterval(Duration.ofDays(1)).executor(Runnable::run);
	}

}
