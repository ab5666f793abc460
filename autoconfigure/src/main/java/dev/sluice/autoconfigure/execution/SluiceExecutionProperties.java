package dev.sluice.autoconfigure.execution;

import java.time.Duration;
import java.util.concurrent.Executor;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import dev.sluice.execution.OverflowStrategy;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/** Properties of the queues in which messages wait to be handled. */
@ConfigurationProperties("sluice.execution")
public class SluiceExecutionProperties implements CheckedProperties {

	/**
	 * Maximum number of platform threads that handle messages. Unused with virtual
	 * threads.
	 */
	private int workers = 200;

	/**
	 * Maximum number of tasks of one queue to run in a row while other queues wait for a
	 * worker.
	 */
	private int maxTasksBeforeYield = 10;

	/**
	 * Maximum number of high-level tasks of a queue to run in a row while normal ones
	 * wait. If not set, high-level tasks always come first.
	 */
	private @Nullable Integer maxConsecutiveHigh;

	/**
	 * Maximum number of messages that wait in a queue, of both levels together.
	 */
	private int queueCapacity = 1024;

	/**
	 * Strategy for messages whose queue is full.
	 */
	private OverflowStrategy overflow = OverflowStrategy.REJECT;

	/**
	 * Maximum time to wait for room in a queue when overflow is "block".
	 */
	private Duration maxBlock = Duration.ofSeconds(1);

	public int getWorkers() {
		return this.workers;
	}

	public void setWorkers(int workers) {
		this.workers = workers;
	}

	public int getMaxTasksBeforeYield() {
		return this.maxTasksBeforeYield;
	}

	public void setMaxTasksBeforeYield(int maxTasksBeforeYield) {
		this.maxTasksBeforeYield = maxTasksBeforeYield;
	}

	public @Nullable Integer getMaxConsecutiveHigh() {
		return this.maxConsecutiveHigh;
	}

	public void setMaxConsecutiveHigh(@Nullable Integer maxConsecutiveHigh) {
		this.maxConsecutiveHigh = maxConsecutiveHigh;
	}

	public int getQueueCapacity() {
		return this.queueCapacity;
	}

	public void setQueueCapacity(int queueCapacity) {
		this.queueCapacity = queueCapacity;
	}

	public OverflowStrategy getOverflow() {
		return this.overflow;
	}

	public void setOverflow(OverflowStrategy overflow) {
		this.overflow = overflow;
	}

	public Duration getMaxBlock() {
		return this.maxBlock;
	}

	public void setMaxBlock(Duration maxBlock) {
		this.maxBlock = maxBlock;
	}

	@Override
	public void check(PropertyRules rules) {
		rules.positive("workers", this.workers);
		rules.positive("maxTasksBeforeYield", this.maxTasksBeforeYield);
		rules.positive("maxConsecutiveHigh", this.maxConsecutiveHigh);
		rules.positive("queueCapacity", this.queueCapacity);
		rules.notNegative("maxBlock", this.maxBlock);
	}

	/** Starts to build an executor with these properties. */
	SequentialLeveledTaskExecutor.Builder builder(Executor workers) {
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
