package dev.sluice.autoconfigure.batch;

import java.util.concurrent.Executor;

import dev.sluice.batch.BatchPump;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ResolvableType;

/**
 * Bean that is a {@link BatchPump}: it receives the batches of its own name.
 *
 * @param batch the name of the bean
 * @param itemType the type of the items
 */
record BatchPumpBean(String batch, ResolvableType itemType) implements BatchTarget {

	@Override
	public String place() {
		return "the BatchPump bean '" + this.batch + "'";
	}

	@Override
	@SuppressWarnings("unchecked")
	public BatchPump<Object> pump(BeanFactory beans, Executor workers) {
		return (BatchPump<Object>) beans.getBean(this.batch, BatchPump.class);
	}

}
