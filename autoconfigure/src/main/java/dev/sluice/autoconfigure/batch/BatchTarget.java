package dev.sluice.autoconfigure.batch;

import java.util.concurrent.Executor;

import dev.sluice.batch.BatchPump;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ResolvableType;

/** Place in the application that receives the batches of a name. */
interface BatchTarget {

	/** Returns the name of the batch. */
	String batch();

	/** Returns the type of the items. */
	ResolvableType itemType();

	/** Returns a description of the place for log messages. */
	String place();

	/**
	 * Creates the bean if necessary, and returns the pump that passes batches to it.
	 * @param beans has the bean
	 * @param workers run blocking calls
	 */
	BatchPump<Object> pump(BeanFactory beans, Executor workers);

}
