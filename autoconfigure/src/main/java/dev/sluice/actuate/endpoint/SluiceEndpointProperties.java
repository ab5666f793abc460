package dev.sluice.actuate.endpoint;

import java.util.Set;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the endpoint {@code throttling}.
 *
 * @param showKeys When to show the ids of queues, keys and owners.
 * @param roles Roles used to determine whether a user is authorized to be shown keys.
 * When empty, all authenticated users are authorized.
 * @param top Maximum number of entries in each list of queues, keys and holders.
 */
@ConfigurationProperties("management.endpoint.throttling")
record SluiceEndpointProperties(@DefaultValue("never") Show showKeys, @DefaultValue Set<String> roles,
		@DefaultValue("10") int top) implements CheckedProperties {

	@Override
	public void check(PropertyRules rules) {
		rules.notNegative("top", this.top);
	}

}
