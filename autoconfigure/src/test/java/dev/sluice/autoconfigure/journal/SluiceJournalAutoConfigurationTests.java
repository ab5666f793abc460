package dev.sluice.autoconfigure.journal;

import java.time.Duration;

import dev.sluice.actuate.metrics.SluiceJournalMetricsAutoConfiguration;
import dev.sluice.autoconfigure.SentMessageRecorderCustomizer;
import dev.sluice.autoconfigure.execution.ExecutorsConfiguration;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.websocket.SentMessageJournal;
import dev.sluice.websocket.journal.LoggingSentMessageJournal;
import dev.sluice.websocket.journal.SentMessageRecorder;
import dev.sluice.websocket.session.WebSocketLifecycle;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.TaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

class SluiceJournalAutoConfigurationTests {

	private static final SentMessageJournal JOURNAL = (messages) -> {
	};

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(SluicePropertiesAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
					TaskExecutionAutoConfiguration.class, SluiceWebSocketAutoConfiguration.class,
					SluiceJournalAutoConfiguration.class, SluiceJournalMetricsAutoConfiguration.class));

	@Test
	void thereIsNoJournalUnlessOneIsAskedFor() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(SentMessageRecorder.class));
	}

	@Test
	void whenEnabledWithoutABeanThenTheLogIsTheJournal() {
		this.contextRunner.withPropertyValues("sluice.journal.enabled=true")
			.run((context) -> assertThat(context).hasSingleBean(LoggingSentMessageJournal.class)
				.hasSingleBean(SentMessageRecorder.class));
	}

	@Test
	void aBeanIsTheJournalAndEnablesIt() {
		this.contextRunner.withBean(SentMessageJournal.class, () -> JOURNAL)
			.run((context) -> assertThat(context).hasSingleBean(SentMessageRecorder.class)
				.getBean(SentMessageJournal.class)
				.isSameAs(JOURNAL));
	}

	@Test
	void whenDisabledThenABeanIsNotUsed() {
		this.contextRunner.withBean(SentMessageJournal.class, () -> JOURNAL)
			.withPropertyValues("sluice.journal.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(SentMessageRecorder.class));
	}

	@Test
	void whenWebSocketsAreDisabledThenThereIsNoJournal() {
		this.contextRunner.withPropertyValues("sluice.journal.enabled=true", "sluice.websocket.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SentMessageRecorder.class));
	}

	@Test
	void theRecorderRunsAndStopsBetweenTheSessionsAndTheWorkers() {
		this.contextRunner.withPropertyValues("sluice.journal.enabled=true").run((context) -> {
			SentMessageRecorder recorder = context.getBean(SentMessageRecorder.class);
			assertThat(recorder.isRunning()).isTrue();
			assertThat(recorder.getPhase()).isLessThan(context.getBean(WebSocketLifecycle.class).getPhase());
			assertThat(context.getBean(ExecutorsConfiguration.WORKERS, TaskExecutor.class)).isInstanceOfSatisfying(
					SmartLifecycle.class, (workers) -> assertThat(workers.getPhase()).isLessThan(recorder.getPhase()));
		});
	}

	@Test
	void propertiesAndCustomizersAreApplied() {
		this.contextRunner
			.withPropertyValues("sluice.journal.enabled=true", "sluice.journal.batch-size=7",
					"sluice.journal.max-waiting=6")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(BindValidationException.class)
				.hasMessageContaining("sluice.journal.max-waiting")
				.hasMessageContaining("which is 7"));
		this.contextRunner.withPropertyValues("sluice.journal.enabled=true", "sluice.journal.push-interval=0s")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("'pushInterval'"));
		this.contextRunner
			.withBean(SentMessageRecorderCustomizer.class,
					() -> (builder) -> builder.pushInterval(Duration.ofSeconds(-1)))
			.withPropertyValues("sluice.journal.enabled=true")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("'pushInterval'"));
	}

	@Test
	void theJournalHasMetersWhereThereIsARegistry() {
		this.contextRunner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
			.withPropertyValues("sluice.journal.enabled=true")
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(registry.get("sluice.batch.waiting").tag("name", "journal").gauge().value()).isZero();
				assertThat(registry.get("sluice.batch.pump").tag("outcome", "retried").timer().count()).isZero();
			});
	}

	@Test
	void whenMicrometerIsMissingThenTheJournalHasNoMeters() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(MeterRegistry.class))
			.withPropertyValues("sluice.journal.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(SentMessageRecorder.class));
	}

}
