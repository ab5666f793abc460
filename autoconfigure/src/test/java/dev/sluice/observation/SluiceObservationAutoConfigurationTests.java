package dev.sluice.observation;

import dev.sluice.aop.spi.LineObserver;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.websocket.MessageObserver;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class SluiceObservationAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class,
				SluiceObservationAutoConfiguration.class))
		.withBean(ObservationRegistry.class, ObservationRegistry::create);

	@Test
	void messagesNodesAndWaitsAreObserved() {
		this.contextRunner.run((context) -> assertThat(context).getBean(MessageObserver.class)
			.isInstanceOf(MessageObservations.class));
		this.contextRunner
			.run((context) -> assertThat(context).getBean(LineObserver.class).isInstanceOf(LineObservations.class));
		this.contextRunner.run((context) -> assertThat(context).getBean(ClusterObserver.class)
			.isInstanceOf(ClusterObservations.class));
	}

	@Test
	void whereMetersOnlyWouldComeOfObservationsThereAreNone() {
		this.contextRunner
			.withBean(DefaultMeterObservationHandler.class,
					() -> new DefaultMeterObservationHandler(new SimpleMeterRegistry()))
			.run((context) -> {
				assertThat(context).getBean(MessageObserver.class).isSameAs(MessageObserver.NONE);
				assertThat(context).getBean(LineObserver.class).isSameAs(LineObserver.NONE);
				assertThat(context).getBean(ClusterObserver.class).isSameAs(ClusterObserver.NONE);
			});
	}

	@Test
	void whereMoreThanMetersComesOfObservationsThereAreSome() {
		this.contextRunner
			.withBean(DefaultMeterObservationHandler.class,
					() -> new DefaultMeterObservationHandler(new SimpleMeterRegistry()))
			.withBean("tracing", ObservationHandler.class, () -> (context) -> true)
			.run((context) -> assertThat(context).getBean(MessageObserver.class)
				.isInstanceOf(MessageObservations.class));
	}

	@Test
	void withoutMetersAnyHandlerWillDo() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.withBean("tracing", ObservationHandler.class, () -> (context) -> true)
			.run((context) -> assertThat(context).getBean(LineObserver.class).isInstanceOf(LineObservations.class));
	}

	@Test
	void withoutARegistryThereAreNone() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class,
					SluiceObservationAutoConfiguration.class))
			.run((context) -> assertThat(context).doesNotHaveBean(LineObserver.class)
				.doesNotHaveBean(MessageObserver.class));
	}

	@Test
	void withoutWebSocketsWaitsAreObserved() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.web.socket"))
			.run((context) -> assertThat(context).hasSingleBean(LineObserver.class)
				.doesNotHaveBean("sluiceMessageObserver"));
	}

}
