package dev.sluice.guide;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/concepts.md} shows. */
class ConceptsGuideTests {

	private final List<Receipt> printed = new CopyOnWriteArrayList<>();

	private final CompletableFuture<String> cancelled = new CompletableFuture<>();

	@Test
	void hasQueuesOfItsOwn() {
		ExecutorService workers = Executors.newFixedThreadPool(2);
		try (SequentialLeveledTaskExecutor orders = SequentialLeveledTaskExecutor.builder(workers).build()) {
			LeveledTask<Receipt> receipt = orders.submit("order-7", Level.NORMAL, () -> book("order-7"));
			receipt.thenAccept(this::print);
			orders.submitStage("order-7", Level.HIGH, () -> cancelLater("order-7"));
		}
		finally {
			workers.shutdown();
		}
		assertThat(this.printed).containsExactly(new Receipt("order-7"));
		assertThat(this.cancelled).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("order-7");
	}

	private Receipt book(String order) {
		return new Receipt(order);
	}

	private void print(Receipt receipt) {
		this.printed.add(receipt);
	}

	private CompletableFuture<String> cancelLater(String order) {
		this.cancelled.complete(order);
		return this.cancelled;
	}

	private record Receipt(String order) {

	}

}
