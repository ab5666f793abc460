package dev.sluice.autoconfigure.execution;

import java.time.Duration;
import java.util.concurrent.Executor;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import dev.sluice.execution.OverflowStrategy;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the queues in which messages wait to be handled.
 *
 * @param workers Maximum number of platform threads that handle messages. Unused with
 * virtual threads.
 * @param maxTasksBeforeYield Maximum number of tasks of one queue to run in a row while
 * other queues wait for a worker; up to 10000.
 * @param maxConsecutiveHigh Maximum number of high-level tasks of a queue to run in a row
 * while normal ones wait. If not set, high-level tasks always come first.
 * @param queueCapacity Maximum number of messages that wait in a queue, of both levels
 * together.
 * @param overflow Strategy for messages whose queue is full.
 * @param maxBlock Maximum time to wait for room in a queue when overflow is "block".
 */
@ConfigurationProperties("sluice.execution")
public record SluiceExecutionProperties(@DefaultValue("200") int workers, @DefaultValue("10") int maxTasksBeforeYield,
		@Nullable Integer maxConsecutiveHigh, @DefaultValue("1024") int queueCapacity,
		@DefaultValue("reject") OverflowStrategy overflow,
		@DefaultValue("1s") Duration maxBlock) implements CheckedProperties {

	@Override
	public void check(PropertyRules rules) {
		rules.positive("workers", this.workers);
		rules.positive("maxTasksBeforeYield", this.maxTasksBeforeYield);
		rules.check("maxTasksBeforeYield",
				this.maxTasksBeforeYield <= SequentialLeveledTaskExecutor.MOST_TASKS_BEFORE_YIELD,
				"must not be greater than " + SequentialLeveledTaskExecutor.MOST_TASKS_BEFORE_YIELD
						+ ", as other queues cannot use that worker until it yields (to keep more queues busy, set more workers by "
						+ "'sluice.execution.workers')");
		rules.positive("maxConsecutiveHigh", this.maxConsecutiveHigh);
		rules.positive("queueCapacity", this.queueCapacity);
		rules.notNegative("maxBlock", this.maxBlock);
	}

	/** Starts to build an executor with these properties. */
	public SequentialLeveledTaskExecutor.Builder builder(Executor workers) {
		SequentialLeveledTaskExecutor.Builder builder = SequentialLeveledTaskExecutor.builder(workers)
			.maxTasksBeforeYield(this.maxTasksBeforeYield)
			.queueCapacity(this.queueCapacity)
			.overflow(this.overflow)
			.maxBlock(this.maxBlock)
			.recordWaits(true);
		if (this.maxConsecutiveHigh != null) {
			builder.maxConsecutiveHigh(this.maxConsecutiveHigh);
		}
		return builder;
	}

}
