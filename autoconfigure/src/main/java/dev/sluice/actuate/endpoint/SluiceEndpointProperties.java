package dev.sluice.actuate.endpoint;

import java.util.LinkedHashSet;
import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** Properties of the endpoint {@code throttling}. */
@ConfigurationProperties("management.endpoint.throttling")
class SluiceEndpointProperties {

	/**
	 * When to show the ids of queues, keys and owners.
	 */
	private Show showKeys = Show.NEVER;

	/**
	 * Roles used to determine whether a user is authorized to be shown keys. When empty,
	 * all authenticated users are authorized.
	 */
	private Set<String> roles = new LinkedHashSet<>();

	/**
	 * Maximum number of entries in each list of queues, keys and holders.
	 */
	private int top = 10;

	public Show getShowKeys() {
		return this.showKeys;
	}

	public void setShowKeys(Show showKeys) {
		this.showKeys = showKeys;
	}

	public Set<String> getRoles() {
		return this.roles;
	}

	public void setRoles(Set<String> roles) {
		this.roles = roles;
	}

	public int getTop() {
		return this.top;
	}

	public void setTop(int top) {
		this.top = top;
	}

}
