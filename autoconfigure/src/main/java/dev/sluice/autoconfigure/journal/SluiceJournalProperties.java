package dev.sluice.autoconfigure.journal;

import java.time.Duration;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** Properties of the journal of sent messages. */
@ConfigurationProperties("sluice.journal")
public class SluiceJournalProperties implements CheckedProperties {

	/**
	 * Whether to record messages sent to clients, in the log if there is no
	 * SentMessageJournal bean. Such a bean enables recording, too.
	 */
	private boolean enabled;

	/**
	 * Maximum number of records to write at once.
	 */
	private int batchSize = 100;

	/**
	 * Maximum time that a record waits for its batch to fill.
	 */
	private Duration pushInterval = Duration.ofSeconds(1);

	/**
	 * Maximum number of records that wait to be written.
	 */
	private int maxWaiting = 10_000;

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public int getBatchSize() {
		return this.batchSize;
	}

	public void setBatchSize(int batchSize) {
		this.batchSize = batchSize;
	}

	public Duration getPushInterval() {
		return this.pushInterval;
	}

	public void setPushInterval(Duration pushInterval) {
		this.pushInterval = pushInterval;
	}

	public int getMaxWaiting() {
		return this.maxWaiting;
	}

	public void setMaxWaiting(int maxWaiting) {
		this.maxWaiting = maxWaiting;
	}

	@Override
	public void check(PropertyRules rules) {
		rules.positive("batchSize", this.batchSize);
		rules.positive("pushInterval", this.pushInterval);
		rules.check("maxWaiting", this.maxWaiting >= this.batchSize,
				"must not be less than 'sluice.journal.batch-size', which is " + this.batchSize);
	}

}
