package dev.sluice.autoconfigure.websocket;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.validation.Validator;

/** Finds the validator of messages. */
final class MessageValidators {

	/** Spring Boot's validator. */
	private static final String DEFAULT = "defaultValidator";

	/** Validators of the web, which validate nothing unless another validator exists. */
	private static final List<String> WEB = List.of("mvcValidator", "webFluxValidator");

	private MessageValidators() {
	}

	/** Returns the validator of the application, or {@code null} if it has none. */
	static @Nullable Validator find(ListableBeanFactory beanFactory) {
		List<String> names = new ArrayList<>(List.of(beanFactory.getBeanNamesForType(Validator.class, true, false)));
		names.removeAll(WEB);
		if (names.contains(DEFAULT)) {
			return beanFactory.getBean(DEFAULT, Validator.class);
		}
		return (names.size() == 1) ? beanFactory.getBean(names.get(0), Validator.class) : null;
	}

}
