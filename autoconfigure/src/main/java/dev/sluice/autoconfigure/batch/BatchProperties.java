package dev.sluice.autoconfigure.batch;

import java.time.Duration;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.batch.RetryPolicy;
import dev.sluice.batch.SlotOverflow;

/** Options of a batch. */
public class BatchProperties implements CheckedProperties {

	private static final Duration FIRST_RETRY = Duration.ofMillis(100);

	private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

	/**
	 * Number of slots; a batch holds items of one slot only.
	 */
	private int slots = 1;

	/**
	 * Maximum number of items in a batch.
	 */
	private int batchSize = 100;

	/**
	 * Maximum time that an item waits for its batch to fill.
	 */
	private Duration pushInterval = Duration.ofSeconds(1);

	/**
	 * Maximum number of batches of a slot that are in flight at once.
	 */
	private int maxConcurrency = 1;

	/**
	 * Maximum number of items of a slot that wait for a batch.
	 */
	private int maxWaiting = 100_000;

	/**
	 * Strategy for items that are pushed to a full slot.
	 */
	private SlotOverflow overflow = SlotOverflow.REJECT;

	/**
	 * Maximum number of retries of a batch whose listener fails.
	 */
	private int retries;

	public int getSlots() {
		return this.slots;
	}

	public void setSlots(int slots) {
		this.slots = slots;
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

	public int getMaxConcurrency() {
		return this.maxConcurrency;
	}

	public void setMaxConcurrency(int maxConcurrency) {
		this.maxConcurrency = maxConcurrency;
	}

	public int getMaxWaiting() {
		return this.maxWaiting;
	}

	public void setMaxWaiting(int maxWaiting) {
		this.maxWaiting = maxWaiting;
	}

	public SlotOverflow getOverflow() {
		return this.overflow;
	}

	public void setOverflow(SlotOverflow overflow) {
		this.overflow = overflow;
	}

	public int getRetries() {
		return this.retries;
	}

	public void setRetries(int retries) {
		this.retries = retries;
	}

	@Override
	public void check(PropertyRules rules) {
		rules.positive("slots", this.slots);
		rules.positive("batchSize", this.batchSize);
		rules.positive("pushInterval", this.pushInterval);
		rules.positive("maxConcurrency", this.maxConcurrency);
		rules.check("maxWaiting", this.maxWaiting >= this.batchSize,
				"must not be less than 'batch-size', which is " + this.batchSize);
		rules.notNegative("retries", this.retries);
	}

	BatchConsumer.Builder<Object> builder() {
		return BatchConsumer.builder()
			.slots(this.slots)
			.batchSize(this.batchSize)
			.pushInterval(this.pushInterval)
			.maxConcurrency(this.maxConcurrency)
			.maxWaiting(this.maxWaiting)
			.overflow(this.overflow)
			.retry((this.retries > 0) ? RetryPolicy.exponential(this.retries, FIRST_RETRY, LONGEST_RETRY)
					: RetryPolicy.none());
	}

	/**
	 * Returns how many threads the batch may need at once: in each slot one for every
	 * batch in flight, and one that gives batches out.
	 */
	int threads() {
		return (int) Math.min(Integer.MAX_VALUE, this.slots * (this.maxConcurrency + 1L));
	}

}
