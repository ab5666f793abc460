package dev.sluice.autoconfigure.websocket;

import java.util.Collection;

/** Thrown when beans of Spring WebFlux are in an application that is not reactive. */
class ReactiveBeansException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	ReactiveBeansException(Collection<String> beanNames) {
		super("This is a servlet application, as Spring MVC is on the class path, but these beans are for Spring WebFlux "
				+ "and would not work: " + String.join(", ", beanNames));
	}

}
