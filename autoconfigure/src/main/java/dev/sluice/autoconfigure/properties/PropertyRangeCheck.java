package dev.sluice.autoconfigure.properties;

import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

/** Stops the start if a value of {@link CheckedProperties} is out of range. */
public final class PropertyRangeCheck {

	private static final Validator VALIDATOR = new RangeValidator();

	private PropertyRangeCheck() {
	}

	/** Returns a handler that checks what another one binds. */
	public static BindHandler of(BindHandler bindHandler) {
		return new ValidationBindHandler(bindHandler, VALIDATOR);
	}

	private static final class RangeValidator implements Validator {

		@Override
		public boolean supports(Class<?> type) {
			return CheckedProperties.class.isAssignableFrom(type);
		}

		@Override
		public void validate(Object target, Errors errors) {
			((CheckedProperties) target).check(new PropertyRules(errors));
		}

	}

}
