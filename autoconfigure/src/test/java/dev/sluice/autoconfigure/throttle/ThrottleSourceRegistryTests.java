package dev.sluice.autoconfigure.throttle;

import java.time.Duration;

import dev.sluice.annotation.Mutex;
import dev.sluice.autoconfigure.ThrottlingManagerCustomizer;
import dev.sluice.autoconfigure.annotation.SluiceAnnotationsAutoConfiguration;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class ThrottleSourceRegistryTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class))
		.withBean(ThrottlingManagerCustomizer.class, () -> (manager) -> {
			manager.addOrUpdate("custom", Limit.semaphore(2));
			manager.addOrUpdate("both", Limit.semaphore(2));
		})
		.withPropertyValues("sluice.throttles.both.type=semaphore", "sluice.throttles.both.limit=3");

	@Test
	void whatACustomizerDefinesIsItsOwn() {
		this.contextRunner.run((context) -> assertThat(source(context, "custom")).isEqualTo(ThrottleSource.CUSTOMIZER));
	}

	@Test
	void whatAPropertyDefinesAgainIsTheProperties() {
		this.contextRunner.run((context) -> assertThat(source(context, "both")).isEqualTo(ThrottleSource.PROPERTY));
	}

	@Test
	void whatAnAnnotationDefinesIsItsOwn() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(SluiceAnnotationsAutoConfiguration.class))
			.withBean(Orders.class)
			.run((context) -> assertThat(source(context, "order")).isEqualTo(ThrottleSource.ANNOTATION));
	}

	@Test
	void whatAnAnnotationDefinesTooStaysTheProperties() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(SluiceAnnotationsAutoConfiguration.class))
			.withBean(Orders.class)
			.withPropertyValues("sluice.throttles.order.type=mutex")
			.run((context) -> assertThat(source(context, "order")).isEqualTo(ThrottleSource.PROPERTY));
	}

	@Test
	void whatIsChangedAfterTheStartIsOfTheRunTime() {
		this.contextRunner.run((context) -> {
			context.getBean(ThrottlingManager.class).addOrUpdate("both", Limit.semaphore(4));
			assertThat(source(context, "both")).isEqualTo(ThrottleSource.RUNTIME);
		});
	}

	@Test
	void whatIsDefinedAfterTheStartIsOfTheRunTime() {
		this.contextRunner.run((context) -> {
			context.getBean(ThrottlingManager.class).addOrUpdate("late", Limit.slidingLog(1, Duration.ofSeconds(1)));
			assertThat(source(context, "late")).isEqualTo(ThrottleSource.RUNTIME);
		});
	}

	private static ThrottleSource source(AssertableApplicationContext context, String name) {
		return context.getBean(ThrottleSourceRegistry.class)
			.of(context.getBean(ThrottlingManager.class).get(name).snapshot(0));
	}

	static class Orders {

		@Mutex("order")
		void place() {
		}

	}

}
