package dev.sluice.autoconfigure.properties;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Condition that matches if properties are on. Unlike Boot's condition, which compares
 * texts, it reads values as Boot binds them, so that {@code yes} and {@code on} are true,
 * and a value that is not a boolean stops the start.
 *
 * @since 0.1.0
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnSwitchCondition.class)
public @interface ConditionalOnSwitch {

	/** The names of the properties, all of which must be on. */
	String[] value();

	/** Whether a property that is not set is on. */
	boolean matchIfMissing() default true;

}
