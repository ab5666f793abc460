package dev.sluice.guide;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import dev.sluice.annotation.BatchListener;
import dev.sluice.autoconfigure.BatchConsumerCustomizer;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.batch.BatchPump;
import dev.sluice.batch.BatchSnapshot;
import dev.sluice.batch.CancellationSignal;
import dev.sluice.batch.SlotSnapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/batches.md} shows. */
@Timeout(60)
class BatchesGuideTests {

	private static final int ITEMS = 2_000;

	/**
	 * Four slots, batches of 100, four of them at once, 2,000 items from many threads,
	 * and an interval that never passes: only full batches go out before the end.
	 */
	@Test
	void manyProducersFillTheBatchesOfFourSlots() throws InterruptedException {
		ConcurrentLinkedQueue<CompletableFuture<Void>> issued = new ConcurrentLinkedQueue<>();
		InvoiceTable table;
		try (ConfigurableApplicationContext context = start("--sluice.batches.invoices.slots=4",
				"--sluice.batches.invoices.batch-size=100", "--sluice.batches.invoices.push-interval=1d",
				"--sluice.batches.invoices.max-concurrency=4")) {
			Invoices invoices = context.getBean(Invoices.class);
			table = context.getBean(InvoiceTable.class);
			List<Thread> producers = new ArrayList<>();
			for (int producer = 0; producer < 4; producer++) {
				int first = producer;
				Thread thread = new Thread(() -> {
					for (int number = first; number < ITEMS; number += 4) {
						issued.add(invoices.issue(new Invoice("customer-" + number % 7, number)));
					}
				});
				thread.start();
				producers.add(thread);
			}
			for (Thread producer : producers) {
				producer.join();
			}
			BatchSnapshot snapshot = snapshot(context);
			assertThat(snapshot.slots()).hasSize(4);
			assertThat(table.inserts()).allMatch((batch) -> batch.size() == 100);
		}
		assertThat(issued).hasSize(ITEMS).allMatch((future) -> future.isDone() && !future.isCompletedExceptionally());
		assertThat(table.inserts().stream().flatMap(List::stream).map(Invoice::number))
			.containsExactlyInAnyOrder(IntStream.range(0, ITEMS).boxed().toArray(Integer[]::new));
		assertThat(table.inserts()).allSatisfy((batch) -> assertThat(batch).hasSizeLessThanOrEqualTo(100)
			.extracting((invoice) -> Math.floorMod(invoice.customer().hashCode(), 4))
			.containsOnly(Math.floorMod(batch.get(0).customer().hashCode(), 4)));
	}

	@Test
	void aMethodMayReturnAStageAndAskForTheSlot() {
		try (ConfigurableApplicationContext context = start()) {
			BatchConsumer<String> letters = context.getBean(Letters.class).letters();
			assertThat(letters.push("hello", 1)).succeedsWithin(Duration.ofSeconds(30));
			assertThat(context.getBean(Letters.class).sent()).containsExactly("1: [hello]");
			BatchConsumer<Integer> readings = context.getBean(Readings.class).readings();
			assertThat(readings.push(42, 0)).succeedsWithin(Duration.ofSeconds(30));
		}
	}

	@Test
	void workIsCancelledWhenItTakesTooLongToStop() throws InterruptedException {
		CompletableFuture<Void> exported;
		try (ConfigurableApplicationContext context = start("--spring.lifecycle.timeout-per-shutdown-phase=400ms")) {
			Exports exports = context.getBean(Exports.class);
			exported = exports.export("report");
			exports.started.await();
		}
		assertThat(exported).isCompletedExceptionally();
	}

	private static BatchSnapshot snapshot(ConfigurableApplicationContext context) {
		BatchSnapshot snapshot = context.getBean("sluiceBatchConsumer.invoices", BatchConsumer.class).snapshot();
		long full = snapshot.slots().stream().mapToLong(SlotSnapshot::completed).sum();
		assertThat(full % 100).isZero();
		return snapshot;
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		List<String> properties = new ArrayList<>(List.of(arguments));
		properties.addAll(List.of("--spring.config.name=none", "--sluice.batches.letters.slots=2",
				"--sluice.batches.letters.push-interval=10ms", "--sluice.batches.readings.push-interval=10ms",
				"--sluice.batches.exports.batch-size=1"));
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(properties.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Invoices.class, InvoiceTable.class, Letters.class, Exports.class })
	static class Application {

		@Bean
		BatchPump<Integer> readings() {
			return (readings, slot) -> sum(readings);
		}

		private static CompletionStage<?> sum(List<Integer> readings) {
			return CompletableFuture.supplyAsync(() -> readings.stream().mapToInt(Integer::intValue).sum());
		}

		@Bean
		Readings reader(BatchConsumer<Integer> readings) {
			return new Readings(readings);
		}

		@Bean
		BatchConsumerCustomizer patience() {
			return (name, builder) -> builder.maxBlock(Duration.ofSeconds(5));
		}

	}

	record Readings(BatchConsumer<Integer> readings) {

	}

	static class Letters {

		private final BatchConsumer<String> letters;

		private final List<String> sent = new CopyOnWriteArrayList<>();

		Letters(@Qualifier("letters") BatchConsumer<String> letters) {
			this.letters = letters;
		}

		@BatchListener("letters")
		CompletableFuture<Void> send(List<String> letters, int slot) {
			return CompletableFuture.runAsync(() -> this.sent.add(slot + ": " + letters));
		}

		BatchConsumer<String> letters() {
			return this.letters;
		}

		List<String> sent() {
			return this.sent;
		}

	}

	static class Exports {

		final CountDownLatch started = new CountDownLatch(1);

		private final BatchConsumer<String> exports;

		private final List<String> written = new CopyOnWriteArrayList<>();

		Exports(@Qualifier("exports") BatchConsumer<String> exports) {
			this.exports = exports;
		}

		CompletableFuture<Void> export(String report) {
			return this.exports.push(report, 0);
		}

		@BatchListener("exports")
		void write(List<String> reports, CancellationSignal cancellation) throws InterruptedException {
			this.started.countDown();
			while (!cancellation.isCancelled()) {
				writePart(reports);
			}
			throw new IllegalStateException("Cancelled");
		}

		private void writePart(List<String> reports) throws InterruptedException {
			this.written.addAll(reports);
			Thread.onSpinWait();
			if (this.written.size() > 1_000) {
				this.written.clear();
			}
		}

	}

}
