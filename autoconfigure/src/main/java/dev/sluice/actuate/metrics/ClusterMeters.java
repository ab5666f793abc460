package dev.sluice.actuate.metrics;

import dev.sluice.cluster.SessionCluster;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Adds the meters of a cluster of sessions when the cluster is created, which is when a
 * bean first requests it.
 */
class ClusterMeters implements BeanPostProcessor {

	private final ObjectProvider<MeterRegistry> registry;

	ClusterMeters(ObjectProvider<MeterRegistry> registry) {
		this.registry = registry;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof SessionCluster cluster) {
			this.registry.ifUnique((meters) -> new ClusterMetrics(() -> cluster.snapshot(0)).bindTo(meters));
		}
		return bean;
	}

}
