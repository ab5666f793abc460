package dev.sluice.autoconfigure.annotation;

import java.time.Duration;

import dev.sluice.annotation.Action;
import dev.sluice.aop.spi.ThrottlePolicy;
import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of limited methods.
 *
 * @param enabled Whether to limit the methods that carry @Throttled, @Semaphore
 * or @Mutex.
 * @param defaultAction Action to take when no permit is available, unless the method
 * specifies one.
 * @param maxWait Maximum time to wait for a permit, unless the method specifies one.
 * @param strict Whether all attempts of a @Retryable method count as one call.
 * @since 0.1.0
 */
@ConfigurationProperties("sluice.annotations")
public record SluiceAnnotationsProperties(@DefaultValue("true") boolean enabled,
		@DefaultValue("reject") Action defaultAction, @DefaultValue("5s") Duration maxWait,
		@DefaultValue("false") boolean strict) implements CheckedProperties {

	@Override
	public void check(PropertyRules rules) {
		rules.check("defaultAction", this.defaultAction != Action.DEFAULT && this.defaultAction != Action.RETRY,
				"must be reject, wait or drop");
		rules.notNegative("maxWait", this.maxWait);
	}

	ThrottlePolicy policy() {
		return new ThrottlePolicy(this.defaultAction, this.maxWait);
	}

}
