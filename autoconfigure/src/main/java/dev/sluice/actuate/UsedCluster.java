package dev.sluice.actuate;

import dev.sluice.cluster.SessionCluster;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds the cluster of sessions if it is in use. A lookup does not create the cluster: a
 * node exists only once a bean requests it.
 */
public final class UsedCluster {

	private final ConfigurableListableBeanFactory beans;

	/**
	 * Creates the lookup.
	 * @param beans the factory in which the cluster is created, now or later
	 */
	public UsedCluster(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
	}

	/** Returns the cluster, or {@code null} if it is not in use. */
	public @Nullable SessionCluster find() {
		for (String name : this.beans.getBeanNamesForType(SessionCluster.class, false, false)) {
			if (this.beans.containsSingleton(name)) {
				return this.beans.getBean(name, SessionCluster.class);
			}
		}
		return null;
	}

}
