package dev.sluice.autoconfigure.properties;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.context.properties.bind.validation.ValidationErrors;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.validation.FieldError;

/**
 * Explains values of properties of Sluice that {@link PropertyRules} rejects. Replaces
 * Boot's analyzer, which covers all properties and has no remedy.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InvalidPropertyValueFailureAnalyzer extends AbstractFailureAnalyzer<BindValidationException> {

	private static final List<ConfigurationPropertyName> ROOTS = Stream
		.of("sluice", "management.endpoint.throttling", "management.health.sluice")
		.map(ConfigurationPropertyName::of)
		.toList();

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindValidationException cause) {
		ValidationErrors errors = cause.getValidationErrors();
		if (ROOTS.stream().noneMatch((root) -> root.equals(errors.getName()) || root.isAncestorOf(errors.getName()))) {
			return null;
		}
		List<FieldError> fields = errors.getAllErrors()
			.stream()
			.filter(FieldError.class::isInstance)
			.map(FieldError.class::cast)
			.toList();
		return new FailureAnalysis(
				fields.stream()
					.map((error) -> describe(errors, error))
					.collect(Collectors.joining(System.lineSeparator())),
				fields.stream().map((error) -> remedy(errors, error)).distinct().collect(Collectors.joining(" ")),
				cause);
	}

	private static String describe(ValidationErrors errors, FieldError error) {
		ConfigurationProperty bound = bound(errors, error);
		Object value = (bound != null) ? bound.getValue() : error.getRejectedValue();
		Origin origin = Origin.from(bound);
		return error.getDefaultMessage() + ": " + value + ((origin != null) ? " (" + origin + ')' : "");
	}

	private static String remedy(ValidationErrors errors, FieldError error) {
		return (bound(errors, error) != null)
				? "Correct '" + PropertyRules.name(error.getObjectName(), error.getField())
						+ "', or remove it to have the default."
				: "Set '" + PropertyRules.name(error.getObjectName(), error.getField())
						+ "' too, as its default does not fit.";
	}

	private static @Nullable ConfigurationProperty bound(ValidationErrors errors, FieldError error) {
		ConfigurationPropertyName name = PropertyRules.name(error.getObjectName(), error.getField());
		return errors.getBoundProperties()
			.stream()
			.filter((property) -> name.equals(property.getName()) || name.isAncestorOf(property.getName()))
			.findFirst()
			.orElse(null);
	}

}
