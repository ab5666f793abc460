package dev.sluice.autoconfigure.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.annotation.BatchListener;
import dev.sluice.autoconfigure.BatchConsumerCustomizer;
import dev.sluice.autoconfigure.annotation.SluiceAnnotationsAutoConfiguration;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.batch.BatchPump;
import dev.sluice.batch.CancellationSignal;
import dev.sluice.batch.ItemDroppedException;
import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/** Batches from the starter: found, injected, configured, started and drained. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class BatchesTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class,
				SluicePropertiesAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
				SluiceBatchAutoConfiguration.class, SluiceAnnotationsAutoConfiguration.class));

	@Test
	void whatIsPushedReachesTheMethodInBatches() {
		this.contextRunner.withUserConfiguration(Producer.class, Listener.class)
			.withPropertyValues("sluice.batches.invoices.batch-size=2", "sluice.batches.invoices.push-interval=1h")
			.run((context) -> {
				BatchConsumer<Invoice> invoices = context.getBean(Producer.class).invoices;
				CompletableFuture<?> first = invoices.push(new Invoice(1), 0);
				CompletableFuture<?> second = invoices.push(new Invoice(2), 0);
				assertThat(first).succeedsWithin(PATIENCE);
				assertThat(second).succeedsWithin(PATIENCE);
				Listener listener = context.getBean(Listener.class);
				assertThat(listener.batches).containsExactly(List.of(new Invoice(1), new Invoice(2)));
				assertThat(listener.threads).allMatch((name) -> name.startsWith("batch-invoices-"));
			});
	}

	@Test
	void aListThatAMethodKeepsStaysAsItWas() {
		this.contextRunner.withUserConfiguration(Producer.class, Listener.class)
			.withPropertyValues("sluice.batches.invoices.batch-size=1")
			.run((context) -> {
				BatchConsumer<Invoice> invoices = context.getBean(Producer.class).invoices;
				for (int number = 0; number < 3; number++) {
					assertThat(invoices.push(new Invoice(number), 0)).succeedsWithin(PATIENCE);
				}
				assertThat(context.getBean(Listener.class).batches).containsExactly(List.of(new Invoice(0)),
						List.of(new Invoice(1)), List.of(new Invoice(2)));
			});
	}

	@Test
	void aPumpBeanTakesTheBatchesOfItsName() {
		this.contextRunner.withUserConfiguration(Pumps.class)
			.withPropertyValues("sluice.batches.words.slots=3", "sluice.batches.words.batch-size=1")
			.run((context) -> {
				BatchConsumer<String> words = context.getBean(Pumps.Words.class).words;
				assertThat(words.push("hello", 2)).succeedsWithin(PATIENCE);
				assertThat(context.getBean(Pumps.class).pumped).containsExactly("2: [hello]");
			});
	}

	@Test
	void consumersAreToldApartByTheirItemsOrTheirNames() {
		this.contextRunner.withUserConfiguration(Producer.class, Listener.class, Pumps.class, Injected.class)
			.run((context) -> {
				Injected injected = context.getBean(Injected.class);
				assertThat(injected.byItems).isSameAs(injected.byName)
					.isSameAs(context.getBean(Producer.class).invoices)
					.isNotSameAs(context.getBean(Pumps.Words.class).words);
				assertThat(injected.all).containsOnlyKeys("sluiceBatchConsumer.invoices", "sluiceBatchConsumer.words");
			});
	}

	@Test
	void everyOptionHasItsEffect() {
		this.contextRunner.withUserConfiguration(Producer.class, HeldListener.class)
			.withPropertyValues("sluice.batches.invoices.slots=2", "sluice.batches.invoices.batch-size=1",
					"sluice.batches.invoices.max-concurrency=2", "sluice.batches.invoices.max-waiting=1",
					"sluice.batches.invoices.overflow=drop-newest", "sluice.batches.invoices.retries=1")
			.run((context) -> {
				BatchConsumer<Invoice> invoices = context.getBean(Producer.class).invoices;
				HeldListener listener = context.getBean(HeldListener.class);
				List<CompletableFuture<?>> pushed = new ArrayList<>();
				for (int number = 0; number < 2; number++) {
					pushed.add(invoices.push(new Invoice(number), 1));
					int calls = number + 1;
					await().until(() -> listener.stages.size() == calls);
				}
				pushed.add(invoices.push(new Invoice(2), 1));
				assertThat(invoices.push(new Invoice(3), 1)).isCompletedExceptionally();
				assertThat(invoices.snapshot().slots()).hasSize(2);
				assertThat(invoices.snapshot().slots().get(1).dropped()).isEqualTo(1);
				assertThat(listener.slots).containsOnly(1);
				listener.stages.get(0).completeExceptionally(new IllegalStateException("once"));
				await().until(() -> listener.stages.size() == 3);
				assertThat(listener.numbers).containsExactly(0, 1, 0);
				listener.stages.forEach((stage) -> stage.complete(null));
				await().until(() -> listener.stages.size() == 4);
				listener.stages.get(3).complete(null);
				assertThat(pushed).allSatisfy((future) -> assertThat(future).succeedsWithin(PATIENCE));
			});
	}

	@Test
	void anIntervalPassesOnTheClockOfTheApplication() {
		this.contextRunner.withUserConfiguration(Producer.class, Listener.class)
			.withBean(SettableClock.class)
			.withPropertyValues("sluice.batches.invoices.push-interval=1h")
			.run((context) -> {
				BatchConsumer<Invoice> invoices = context.getBean(Producer.class).invoices;
				CompletableFuture<?> pushed = invoices.push(new Invoice(1), 0);
				await().until(() -> {
					context.getBean(SettableClock.class).advance(Duration.ofHours(1));
					return pushed.isDone();
				});
				assertThat(context.getBean(Listener.class).batches).hasSize(1);
			});
	}

	@Test
	void aBatchThatIsGivenUpIsLogged(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(Producer.class, FailingListener.class)
			.withPropertyValues("sluice.batches.invoices.batch-size=1")
			.run((context) -> {
				assertThat(context.getBean(Producer.class).invoices.push(new Invoice(1), 0)).failsWithin(PATIENCE)
					.withThrowableThat()
					.havingRootCause()
					.withMessage("no disk");
				assertThat(output)
					.contains("The listener of batch 'invoices' failed; its batch is lost (items: 1, slot: 0)")
					.contains("no disk");
			});
	}

	@Test
	void aCustomizerHasTheLastWord() {
		List<Integer> givenUp = new CopyOnWriteArrayList<>();
		this.contextRunner.withUserConfiguration(Producer.class, FailingListener.class)
			.withPropertyValues("sluice.batches.invoices.batch-size=7")
			.withBean(BatchConsumerCustomizer.class,
					() -> (name, builder) -> builder.batchSize(1)
						.errorHandler((items, slot, failure) -> givenUp.add(items.size())))
			.run((context) -> {
				assertThat(context.getBean(Producer.class).invoices.push(new Invoice(1), 0)).failsWithin(PATIENCE);
				assertThat(givenUp).containsExactly(1);
			});
	}

	@Test
	void withVirtualThreadsBatchesRunOnThem() {
		this.contextRunner.withUserConfiguration(Producer.class, Listener.class)
			.withPropertyValues("spring.threads.virtual.enabled=true", "sluice.batches.invoices.batch-size=1")
			.run((context) -> {
				assertThat(context.getBean(Producer.class).invoices.push(new Invoice(1), 0)).succeedsWithin(PATIENCE);
				assertThat(context.getBean(Listener.class).threads)
					.allMatch((name) -> name.startsWith("batch-invoices-"));
			});
	}

	@Test
	void aMethodThatBlocksInOneSlotHoldsUpNoOther() {
		this.contextRunner.withUserConfiguration(Producer.class, BlockingListener.class)
			.withPropertyValues("sluice.batches.invoices.slots=2", "sluice.batches.invoices.batch-size=1")
			.run((context) -> {
				BatchConsumer<Invoice> invoices = context.getBean(Producer.class).invoices;
				CompletableFuture<?> blocked = invoices.push(new Invoice(0), 0);
				for (int number = 0; number < 10; number++) {
					invoices.push(new Invoice(number), 0);
					assertThat(invoices.push(new Invoice(number), 1)).succeedsWithin(PATIENCE);
				}
				assertThat(blocked).isNotDone();
				context.getBean(BlockingListener.class).release.countDown();
				assertThat(blocked).succeedsWithin(PATIENCE);
			});
	}

	@Test
	void whatWaitsIsDrainedWhenTheApplicationStops() {
		this.contextRunner.withUserConfiguration(Producer.class, Listener.class)
			.withPropertyValues("sluice.batches.invoices.push-interval=1h")
			.run((context) -> {
				List<CompletableFuture<?>> pushed = new ArrayList<>();
				for (int number = 0; number < 150; number++) {
					pushed.add(context.getBean(Producer.class).invoices.push(new Invoice(number), 0));
				}
				Listener listener = context.getBean(Listener.class);
				context.getSourceApplicationContext().close();
				assertThat(pushed).allMatch((future) -> future.isDone() && !future.isCompletedExceptionally());
				assertThat(listener.batches).extracting(List::size).containsExactly(100, 50);
			});
	}

	/** The web server and the pools of threads are still pushing when they stop. */
	@ParameterizedTest
	@ValueSource(ints = { SmartLifecycle.DEFAULT_PHASE - 2048, Integer.MAX_VALUE / 2 })
	void whatIsPushedByThoseThatStopBeforeIsDrainedToo(int phase) {
		this.contextRunner.withUserConfiguration(Producer.class, Listener.class)
			.withPropertyValues("sluice.batches.invoices.push-interval=1h")
			.withBean(LateProducer.class, phase)
			.run((context) -> {
				LateProducer producer = context.getBean(LateProducer.class);
				context.getSourceApplicationContext().close();
				assertThat(producer.pushed).isCompleted();
			});
	}

	@Test
	void whatAnAsyncMethodPushesAtItsEndIsDrainedToo() {
		CountDownLatch stopping = new CountDownLatch(1);
		this.contextRunner.withUserConfiguration(Producer.class, Listener.class, AsyncProducer.class)
			.withPropertyValues("sluice.batches.invoices.push-interval=1h")
			.withBean(StoppingListener.class, stopping)
			.run((context) -> {
				CountDownLatch started = new CountDownLatch(1);
				CompletableFuture<CompletableFuture<?>> pushed = context.getBean(AsyncProducer.class)
					.push(started, stopping);
				started.await();
				context.getSourceApplicationContext().close();
				assertThat(pushed.join()).isCompleted();
			});
	}

	@Test
	void whatTheMethodNeedsIsThereUntilTheLastBatch() {
		this.contextRunner.withUserConfiguration(Producer.class, Database.class, StoringListener.class)
			.withPropertyValues("sluice.batches.invoices.push-interval=1h")
			.run((context) -> {
				CompletableFuture<?> pushed = context.getBean(Producer.class).invoices.push(new Invoice(1), 0);
				context.getSourceApplicationContext().close();
				assertThat(pushed).isCompleted();
			});
	}

	@Test
	void aMethodThatTakesTooLongIsCancelledWhenTheApplicationStops(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(Producer.class, CancellableListener.class)
			.withPropertyValues("sluice.batches.invoices.batch-size=1",
					"spring.lifecycle.timeout-per-shutdown-phase=400ms")
			.run((context) -> {
				BatchConsumer<Invoice> invoices = context.getBean(Producer.class).invoices;
				CompletableFuture<?> first = invoices.push(new Invoice(1), 0);
				await().until(() -> invoices.snapshot().inFlight() == 1);
				CompletableFuture<?> second = invoices.push(new Invoice(2), 0);
				context.getSourceApplicationContext().close();
				assertThat(first).failsWithin(PATIENCE).withThrowableThat().havingRootCause().withMessage("cancelled");
				assertThat(second).failsWithin(PATIENCE)
					.withThrowableThat()
					.withCauseInstanceOf(ItemDroppedException.class);
				assertThat(output)
					.contains("Batch 'invoices' was not drained in time (items discarded: 1, calls of its "
							+ "listener cancelled: 1)");
			});
	}

	@Test
	void batchesGoOnWhenTheApplicationIsStartedAgain() {
		this.contextRunner.withUserConfiguration(Producer.class, Listener.class)
			.withPropertyValues("sluice.batches.invoices.batch-size=1")
			.run((context) -> {
				BatchConsumer<Invoice> invoices = context.getBean(Producer.class).invoices;
				context.getSourceApplicationContext().stop();
				assertThat(invoices.push(new Invoice(1), 0)).isCompletedExceptionally();
				context.getSourceApplicationContext().start();
				assertThat(invoices.push(new Invoice(2), 0)).succeedsWithin(PATIENCE);
			});
	}

	@Test
	void whatIsPushedBeforeTheStartWaitsForIt() {
		this.contextRunner.withUserConfiguration(EarlyProducer.class, Listener.class)
			.withPropertyValues("sluice.batches.invoices.batch-size=1")
			.run((context) -> assertThat(context.getBean(EarlyProducer.class).pushed).succeedsWithin(PATIENCE));
	}

	/** To ask such a bean for its type would create it before it can be processed. */
	@Test
	void lookingForListenersCreatesNoFactoryBean() {
		AtomicBoolean created = new AtomicBoolean();
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("factory", new RootBeanDefinition(FactoryBean.class, () -> {
			created.set(true);
			return mock(FactoryBean.class);
		}));
		new BatchTargets().postProcessBeanDefinitionRegistry(beans);
		assertThat(created).isFalse();
	}

	@Test
	void aPumpThatIsNoBeanDefinitionTakesBatches() {
		BatchPump<String> pump = (items, slot) -> CompletableFuture.completedFuture(null);
		this.contextRunner.withInitializer((context) -> context.getBeanFactory().registerSingleton("words", pump))
			.withPropertyValues("sluice.batches.words.batch-size=1")
			.run((context) -> assertThat(context.getBean(BatchConsumer.class).snapshot().running()).isTrue());
	}

	@Test
	void aNativeImageMayCallTheMethod() {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Listener.class);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Listener.class, "take")).accepts(hints);
	}

	@Test
	void whenSwitchedOffThenThereAreNoBatches() {
		this.contextRunner.withUserConfiguration(Listener.class)
			.withPropertyValues("sluice.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(BatchConsumer.class));
	}

	record Invoice(int number) {

	}

	static class Producer {

		final BatchConsumer<Invoice> invoices;

		Producer(@Qualifier("invoices") BatchConsumer<Invoice> invoices) {
			this.invoices = invoices;
		}

	}

	static class EarlyProducer {

		final CompletableFuture<?> pushed;

		EarlyProducer(BatchConsumer<Invoice> invoices) {
			this.pushed = invoices.push(new Invoice(1), 0);
		}

	}

	static class LateProducer extends Stopping {

		private final BatchConsumer<Invoice> invoices;

		private CompletableFuture<?> pushed = new CompletableFuture<>();

		LateProducer(int phase, BatchConsumer<Invoice> invoices) {
			super(phase);
			this.invoices = invoices;
		}

		@Override
		public void stop() {
			this.pushed = this.invoices.push(new Invoice(1), 0);
			super.stop();
		}

	}

	/** Stops just before the pools of threads do. */
	static class StoppingListener extends Stopping {

		private final CountDownLatch stopping;

		StoppingListener(CountDownLatch stopping) {
			super(Integer.MAX_VALUE / 2 + 1);
			this.stopping = stopping;
		}

		@Override
		public void stop() {
			this.stopping.countDown();
			super.stop();
		}

	}

	static class Stopping implements SmartLifecycle {

		private final int phase;

		private volatile boolean running;

		Stopping(int phase) {
			this.phase = phase;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return this.phase;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class AsyncProducer {

		@Autowired
		private BatchConsumer<Invoice> invoices;

		@Bean
		ThreadPoolTaskExecutor taskExecutor() {
			return new ThreadPoolTaskExecutor();
		}

		@Async
		CompletableFuture<CompletableFuture<?>> push(CountDownLatch started, CountDownLatch release)
				throws InterruptedException {
			started.countDown();
			release.await();
			return CompletableFuture.completedFuture(this.invoices.push(new Invoice(1), 0));
		}

	}

	static class Injected {

		@Autowired
		BatchConsumer<Invoice> byItems;

		@Autowired
		@Qualifier("invoices")
		BatchConsumer<?> byName;

		@Autowired
		Map<String, BatchConsumer<?>> all;

	}

	static class Listener {

		final List<List<Invoice>> batches = new CopyOnWriteArrayList<>();

		final List<String> threads = new CopyOnWriteArrayList<>();

		@BatchListener("invoices")
		void take(List<Invoice> invoices) {
			this.batches.add(invoices);
			this.threads.add(Thread.currentThread().getName());
		}

	}

	static class HeldListener {

		final List<CompletableFuture<?>> stages = new CopyOnWriteArrayList<>();

		final List<Integer> slots = new CopyOnWriteArrayList<>();

		final List<Integer> numbers = new CopyOnWriteArrayList<>();

		@BatchListener("invoices")
		CompletionStage<?> take(int slot, List<Invoice> invoices) {
			CompletableFuture<?> stage = new CompletableFuture<>();
			this.slots.add(slot);
			invoices.forEach((invoice) -> this.numbers.add(invoice.number()));
			this.stages.add(stage);
			return stage;
		}

	}

	static class FailingListener {

		@BatchListener("invoices")
		void take(List<Invoice> invoices) throws Exception {
			throw new Exception("no disk");
		}

	}

	static class BlockingListener {

		final CountDownLatch release = new CountDownLatch(1);

		@BatchListener("invoices")
		void take(List<Invoice> invoices, int slot) throws InterruptedException {
			if (slot == 0) {
				this.release.await();
			}
		}

	}

	static class CancellableListener {

		@BatchListener("invoices")
		void take(List<Invoice> invoices, CancellationSignal cancellation) {
			CompletableFuture<Void> cancelled = new CompletableFuture<>();
			cancellation.onCancel(() -> cancelled.complete(null));
			// The workers are interrupted, too, at the end
			cancelled.join();
			throw new IllegalStateException("cancelled");
		}

	}

	static class Database implements DisposableBean {

		private volatile boolean closed;

		@Override
		public void destroy() {
			this.closed = true;
		}

	}

	static class StoringListener {

		private final Database database;

		StoringListener(Database database) {
			this.database = database;
		}

		@BatchListener("invoices")
		void take(List<Invoice> invoices) {
			assertThat(this.database.closed).isFalse();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Pumps {

		final List<String> pumped = new CopyOnWriteArrayList<>();

		@Bean
		BatchPump<String> words() {
			return (items, slot) -> {
				this.pumped.add(slot + ": " + items);
				return CompletableFuture.completedFuture(null);
			};
		}

		@Bean
		Words producer(BatchConsumer<String> words) {
			return new Words(words);
		}

		record Words(BatchConsumer<String> words) {

		}

	}

}
