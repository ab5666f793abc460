package dev.sluice.autoconfigure.annotation;

import java.time.Duration;

import dev.sluice.annotation.Action;
import dev.sluice.aop.spi.ThrottlePolicy;
import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Properties of limited methods.
 *
 * @since 0.1.0
 */
@ConfigurationProperties("sluice.annotations")
public class SluiceAnnotationsProperties implements CheckedProperties {

	/**
	 * Whether to limit the methods that carry @Throttled, @Semaphore or @Mutex.
	 */
	private boolean enabled = true;

	/**
	 * Action to take when no permit is available, unless the method specifies one.
	 */
	private Action defaultAction = Action.REJECT;

	/**
	 * Maximum time to wait for a permit, unless the method specifies one.
	 */
	private Duration maxWait = Duration.ofSeconds(5);

	/**
	 * Whether all attempts of a @Retryable method count as one call.
	 */
	private boolean strict;

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public Action getDefaultAction() {
		return this.defaultAction;
	}

	public void setDefaultAction(Action defaultAction) {
		this.defaultAction = defaultAction;
	}

	public Duration getMaxWait() {
		return this.maxWait;
	}

	public void setMaxWait(Duration maxWait) {
		this.maxWait = maxWait;
	}

	public boolean isStrict() {
		return this.strict;
	}

	public void setStrict(boolean strict) {
		this.strict = strict;
	}

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
