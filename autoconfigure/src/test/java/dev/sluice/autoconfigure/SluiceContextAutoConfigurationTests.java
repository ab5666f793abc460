package dev.sluice.autoconfigure;

import io.micrometer.context.ContextSnapshotFactory;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class SluiceContextAutoConfigurationTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class,
				SluiceWebSocketAutoConfiguration.class, SluiceContextAutoConfiguration.class));

	@Test
	void theLoggingContextAndWhatLibrariesRegisteredFollow() {
		this.contextRunner.run((context) -> assertThat(context).hasBean("sluiceLoggingContextCustomizer")
			.hasBean("sluiceContextCustomizer"));
	}

	@Test
	void withoutContextPropagationTheLoggingContextFollows() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(ContextSnapshotFactory.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("sluiceLoggingContextCustomizer")
				.doesNotHaveBean("sluiceContextCustomizer"));
	}

	@Test
	void withoutSessionsThereIsNothing() {
		this.contextRunner.withPropertyValues("sluice.websocket.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(ExecutorCustomizer.class));
	}

}
