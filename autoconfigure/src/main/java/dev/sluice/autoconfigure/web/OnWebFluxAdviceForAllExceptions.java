package dev.sluice.autoconfigure.web;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * Condition that matches if an advice of the application handles all exceptions and none
 * handles rejections.
 */
class OnWebFluxAdviceForAllExceptions extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
		Set<ApplicationHandlers> handlers = EnumSet.noneOf(ApplicationHandlers.class);
		for (String name : beans.getBeanDefinitionNames()) {
			Class<?> type = beans.getType(name, false);
			if (type != null && AnnotatedElementUtils.hasAnnotation(type, ControllerAdvice.class)) {
				handlers.add(ApplicationHandlers.of(type));
			}
		}
		boolean matches = handlers.contains(ApplicationHandlers.ALL_EXCEPTIONS)
				&& !handlers.contains(ApplicationHandlers.REJECTIONS);
		return new ConditionOutcome(matches, ConditionMessage.forCondition("Advice for all exceptions")
			.because("the application's are for " + handlers));
	}

}
