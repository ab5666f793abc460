package dev.sluice.autoconfigure.properties;

import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

/** Stops the start if a value of {@link CheckedProperties} is out of range. */
public final class PropertyRangeCheck implements ConfigurationPropertiesBindHandlerAdvisor {

	private static final Validator VALIDATOR = new RangeValidator();

	@Override
	public BindHandler apply(BindHandler bindHandler) {
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
