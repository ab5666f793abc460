package dev.sluice.autoconfigure.journal;

import java.util.concurrent.Executor;

import dev.sluice.autoconfigure.SentMessageRecorderCustomizer;
import dev.sluice.autoconfigure.execution.ExecutorsConfiguration;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.websocket.SentMessageJournal;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.journal.LoggingSentMessageJournal;
import dev.sluice.websocket.journal.SentMessageRecorder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.web.socket.WebSocketHandler;

/**
 * Auto-configuration for the journal of sent messages.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceWebSocketAutoConfiguration.class)
@ConditionalOnClass({ WebSocketHandler.class, WebSocketDispatcher.class })
@ConditionalOnBean(WebSocketDispatcher.class)
@ConditionalOnSwitch("sluice.journal.enabled")
@Conditional(SluiceJournalAutoConfiguration.OnJournal.class)
@EnableConfigurationProperties(SluiceJournalProperties.class)
public final class SluiceJournalAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(SentMessageJournal.class)
	LoggingSentMessageJournal sluiceSentMessageJournal() {
		return new LoggingSentMessageJournal();
	}

	@Bean
	@ConditionalOnMissingBean
	SentMessageRecorder sluiceSentMessageRecorder(SentMessageJournal journal,
			@Qualifier(ExecutorsConfiguration.WORKERS) Executor workers, SluiceJournalProperties properties,
			ObjectProvider<SentMessageRecorderCustomizer> customizers) {
		SentMessageRecorder.Builder builder = SentMessageRecorder.builder(journal, workers)
			.batchSize(properties.batchSize())
			.pushInterval(properties.pushInterval())
			.maxWaiting(properties.maxWaiting());
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

	/** Matches if the property or a bean enables the journal. */
	static class OnJournal extends AnyNestedCondition {

		OnJournal() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnSwitch(value = "sluice.journal.enabled", matchIfMissing = false)
		static class Enabled {

		}

		@ConditionalOnBean(SentMessageJournal.class)
		static class HasJournal {

		}

	}

}
