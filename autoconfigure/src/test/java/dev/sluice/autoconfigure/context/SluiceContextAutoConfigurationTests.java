package dev.sluice.autoconfigure.context;

import dev.sluice.autoconfigure.ExecutorCustomizer;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.websocket.PrincipalContext;
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
	void withoutSpringSecurityThereIsNoSecurityContext() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.security"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("sluiceContextCustomizer")
				.doesNotHaveBean(PrincipalContext.class));
	}

	@Test
	void securityContextOfHandlersIsThereUnlessItIsSwitchedOff() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(PrincipalContext.class));
		this.contextRunner.withPropertyValues("sluice.websocket.security-context=false")
			.run((context) -> assertThat(context).doesNotHaveBean(PrincipalContext.class));
	}

	@Test
	void withoutSessionsThereIsNothing() {
		this.contextRunner.withPropertyValues("sluice.websocket.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(ExecutorCustomizer.class));
	}

}
