package dev.sluice.autoconfigure;

import dev.sluice.batch.BatchConsumer;

/**
 * A bean of this type changes how the consumers of batches are built, after the
 * properties have been applied.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface BatchConsumerCustomizer {

	/**
	 * Changes one consumer.
	 * @param name the name of its batch
	 * @param builder the builder of the consumer
	 */
	void customize(String name, BatchConsumer.Builder<?> builder);

}
