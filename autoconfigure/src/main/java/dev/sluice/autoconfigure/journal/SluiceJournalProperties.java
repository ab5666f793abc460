package dev.sluice.autoconfigure.journal;

import java.time.Duration;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the journal of sent messages.
 *
 * @param enabled Whether to record messages sent to clients, in the log if there is no
 * SentMessageJournal bean. Such a bean enables recording, too.
 * @param batchSize Maximum number of records to write at once.
 * @param pushInterval Maximum time that a record waits for its batch to fill.
 * @param maxWaiting Maximum number of records that wait to be written.
 */
@ConfigurationProperties("sluice.journal")
public record SluiceJournalProperties(@DefaultValue("false") boolean enabled, @DefaultValue("100") int batchSize,
		@DefaultValue("1s") Duration pushInterval, @DefaultValue("10000") int maxWaiting) implements CheckedProperties {

	@Override
	public void check(PropertyRules rules) {
		rules.positive("batchSize", this.batchSize);
		rules.positive("pushInterval", this.pushInterval);
		rules.check("maxWaiting", this.maxWaiting >= this.batchSize,
				"must not be less than 'sluice.journal.batch-size', which is " + this.batchSize);
	}

}
