package dev.sluice.actuate;

import dev.sluice.websocket.cluster.SessionCluster;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The cluster of sessions where somebody uses it. To look for it creates none: a node
 * that nobody asks for does not exist.
 */
public final class UsedCluster {

	private final ConfigurableListableBeanFactory beans;

	/**
	 * Creates what looks for the cluster.
	 * @param beans has the cluster, or may make it later
	 */
	public UsedCluster(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
	}

	/** Returns the cluster, {@code null} while nobody uses it. */
	public @Nullable SessionCluster find() {
		for (String name : this.beans.getBeanNamesForType(SessionCluster.class, false, false)) {
			if (this.beans.containsSingleton(name)) {
				return this.beans.getBean(name, SessionCluster.class);
			}
		}
		return null;
	}

}
