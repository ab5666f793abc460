package dev.sluice.autoconfigure.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class BlockedWorkersTests {

	@Test
	void halfOfTheWorkersAtMostBlockInLineAndOtherSessionsGoOn() {
		new WebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(TaskExecutionAutoConfiguration.class, SluiceWebSocketAutoConfiguration.class,
							SluiceThrottlingAutoConfiguration.class, SluiceAnnotationsAutoConfiguration.class))
			.withBean(Service.class)
			.withPropertyValues("sluice.execution.workers=4")
			.run((context) -> {
				SequentialLeveledTaskExecutor inbound = context.getBean(SequentialLeveledTaskExecutor.class);
				ThrottlingManager manager = context.getBean(ThrottlingManager.class);
				manager.addOrUpdate("m", Limit.mutex());
				Permit held = manager.tryAcquire(AcquireRequest.of("m", "")).permit();
				List<CompletableFuture<?>> calls = new ArrayList<>();
				for (int i = 0; i < 100; i++) {
					calls.add(inbound.execute("caller-" + i, Level.NORMAL, context.getBean(Service.class)::call));
				}
				assertThat(inbound.submit("other", Level.NORMAL, () -> "answer")).succeedsWithin(20, TimeUnit.SECONDS)
					.isEqualTo("answer");
				Awaitility.await().until(() -> calls.stream().filter(CompletableFuture::isDone).count() == 98);
				assertThat(context.getBean(BlockingWaits.class).workersExhausted()).isEqualTo(98);
				assertThat(calls).filteredOn(CompletableFuture::isDone)
					.allSatisfy((call) -> assertThat(call).failsWithin(0, TimeUnit.SECONDS)
						.withThrowableThat()
						.withCauseInstanceOf(ThrottledException.class));
				held.close();
				Awaitility.await().until(() -> calls.stream().allMatch(CompletableFuture::isDone));
			});
	}

	static class Service {

		@Mutex("m")
		@WhenThrottled(action = Action.WAIT, maxWait = "1m")
		void call() {
		}

	}

}
