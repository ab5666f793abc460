package dev.sluice.websocket.endpoint;

import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.validation.BeanPropertyBindingResult;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;
import org.springframework.validation.SmartValidator;
import org.springframework.validation.Validator;

/**
 * Validation of messages, for methods that require it.
 *
 * @param validator validates them
 */
public record MessageValidation(Validator validator) {

	/**
	 * Maximum number of faults quoted, because a client determines how many there are.
	 */
	private static final int MAX_FAULTS = 10;

	private static final int MAX_LENGTH = 500;

	/**
	 * Returns the faults of a message, as a text for its client.
	 * @param hints the groups to validate, or none for the default
	 * @return the faults, or {@code null} if the message is valid
	 */
	@Nullable String fault(Object message, List<Object> hints) {
		Errors errors = new BeanPropertyBindingResult(message, "message");
		if (this.validator instanceof SmartValidator smart && !hints.isEmpty()) {
			smart.validate(message, errors, hints.toArray());
		}
		else if (this.validator.supports(message.getClass())) {
			this.validator.validate(message, errors);
		}
		if (!errors.hasErrors()) {
			return null;
		}
		return StringUtils.truncate(errors.getAllErrors()
			.stream()
			.limit(MAX_FAULTS)
			.map(MessageValidation::describe)
			.sorted()
			.collect(Collectors.joining("; ")), MAX_LENGTH);
	}

	private static String describe(ObjectError error) {
		String fault = (error.getDefaultMessage() != null) ? error.getDefaultMessage() : "is not valid";
		return (error instanceof FieldError field) ? "'" + field.getField() + "' " + fault : fault;
	}

}
