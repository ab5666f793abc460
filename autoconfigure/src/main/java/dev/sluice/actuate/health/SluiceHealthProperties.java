package dev.sluice.actuate.health;

import java.time.Duration;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the health indicator.
 *
 * @param maxWait Maximum time that queues may wait for a worker while the application is
 * up.
 */
@ConfigurationProperties("management.health.sluice")
record SluiceHealthProperties(@DefaultValue("30s") Duration maxWait) implements CheckedProperties {

	@Override
	public void check(PropertyRules rules) {
		rules.notNegative("maxWait", this.maxWait);
	}

}
