package dev.sluice.autoconfigure.batch;

import java.time.Duration;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.batch.RetryPolicy;
import dev.sluice.batch.SlotOverflow;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Options of a batch.
 *
 * @param slots Number of slots; a batch holds items of one slot only.
 * @param batchSize Maximum number of items in a batch.
 * @param pushInterval Maximum time that an item waits for its batch to fill.
 * @param maxConcurrency Maximum number of batches of a slot that are in flight at once.
 * @param maxWaiting Maximum number of items of a slot that wait for a batch.
 * @param overflow Strategy for items that are pushed to a full slot.
 * @param retries Maximum number of retries of a batch whose listener fails.
 */
public record BatchProperties(@DefaultValue("1") int slots, @DefaultValue("100") int batchSize,
		@DefaultValue("1s") Duration pushInterval, @DefaultValue("1") int maxConcurrency,
		@DefaultValue("100000") int maxWaiting, @DefaultValue("reject") SlotOverflow overflow,
		@DefaultValue("0") int retries) implements CheckedProperties {

	/** Options of a batch without configured options. */
	static final BatchProperties DEFAULTS = new Binder().bindOrCreate("", BatchProperties.class);

	private static final Duration FIRST_RETRY = Duration.ofMillis(100);

	private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

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
	 * Returns the maximum number of threads that the batch needs at the same time: in
	 * each slot one for every batch in flight, and one that dispatches batches.
	 */
	int threads() {
		return (int) Math.min(Integer.MAX_VALUE, this.slots * (this.maxConcurrency + 1L));
	}

}
