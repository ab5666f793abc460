package dev.sluice.autoconfigure.annotation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.ThrottlingTemplate;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncConfigurer;
import org.springframework.scheduling.annotation.EnableAsync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Contexts that are closed while calls of their beans wait for a limit in memory. */
class ClosedContextTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluicePropertiesAutoConfiguration.class,
				SluiceThrottlingAutoConfiguration.class, SluiceAnnotationsAutoConfiguration.class));

	@Test
	void callsThatWaitAreRejected() throws Exception {
		CompletableFuture<?>[] calls = new CompletableFuture<?>[6];
		Thread[] blocked = new Thread[2];
		this.contextRunner.withUserConfiguration(Asynchronous.class).withBean(Service.class).run((context) -> {
			Service service = context.getBean(Service.class);
			ThrottlingTemplate template = context.getBean(ThrottlingTemplate.class);
			Throttle order = context.getBean(ThrottlingManager.class).get("order");
			order.tryAcquire();
			calls[0] = new CompletableFuture<>();
			calls[1] = new CompletableFuture<>();
			blocked[0] = start(service::blocking, calls[0]);
			blocked[1] = start(
					() -> template.call(() -> "done", AcquireRequest.of("order").maxWait(Duration.ofDays(1))),
					calls[1]);
			calls[2] = service.stage().toCompletableFuture();
			calls[3] = service.mono().toFuture();
			calls[4] = service.asynchronous();
			calls[5] = service.retried();
			await().until(() -> order.state("").waiting() == 5);
		});

		for (CompletableFuture<?> call : calls) {
			assertThat(call).failsWithin(PATIENCE)
				.withThrowableThat()
				.havingRootCause()
				.isInstanceOf(ThrottledException.class);
		}
		for (Thread thread : blocked) {
			thread.join(PATIENCE.toMillis());
			assertThat(thread.isAlive()).isFalse();
		}
	}

	private static Thread start(Runnable call, CompletableFuture<?> outcome) {
		Thread thread = new Thread(() -> {
			try {
				call.run();
				outcome.complete(null);
			}
			catch (Throwable ex) {
				outcome.completeExceptionally(ex);
			}
		});
		thread.start();
		return thread;
	}

	@EnableAsync
	static class Asynchronous implements AsyncConfigurer {

	}

	@Mutex("order")
	@WhenThrottled(action = Action.WAIT, maxWait = "1d")
	static class Service {

		public void blocking() {
		}

		public CompletionStage<Void> stage() {
			return CompletableFuture.completedFuture(null);
		}

		public Mono<Void> mono() {
			return Mono.empty();
		}

		@Async
		public CompletableFuture<Void> asynchronous() {
			return CompletableFuture.completedFuture(null);
		}

		@WhenThrottled(action = Action.RETRY, delay = "1h")
		public CompletableFuture<Void> retried() {
			return CompletableFuture.completedFuture(null);
		}

	}

}
