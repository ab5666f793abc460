package dev.sluice.actuate.metrics;

import dev.sluice.autoconfigure.SentMessageRecorderCustomizer;
import dev.sluice.autoconfigure.journal.SluiceJournalAutoConfiguration;
import dev.sluice.websocket.journal.SentMessageRecorder;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.socket.WebSocketHandler;

/**
 * Auto-configuration for the metrics of the journal of sent messages: the meters of
 * {@link BatchMetrics}, with the name {@code journal}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceJournalAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({ MeterRegistry.class, WebSocketHandler.class, SentMessageRecorder.class })
@ConditionalOnBean({ MeterRegistry.class, SentMessageRecorder.class })
public final class SluiceJournalMetricsAutoConfiguration {

	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean(name = "sluiceJournalMetrics")
	BatchMetrics sluiceJournalMetrics(MeterRegistry registry) {
		return new BatchMetrics(registry, "journal");
	}

	@Bean
	@ConditionalOnMissingBean(name = "sluiceJournalMetricsCustomizer")
	SentMessageRecorderCustomizer sluiceJournalMetricsCustomizer(
			@Qualifier("sluiceJournalMetrics") BatchMetrics metrics) {
		return (builder) -> builder.listener(metrics);
	}

	@Bean
	@ConditionalOnMissingBean(name = "sluiceJournalMeters")
	MeterBinder sluiceJournalMeters(@Qualifier("sluiceJournalMetrics") BatchMetrics metrics,
			ObjectProvider<SentMessageRecorder> recorder) {
		return (registry) -> recorder.ifAvailable((journal) -> metrics.monitor(journal::snapshot));
	}

}
