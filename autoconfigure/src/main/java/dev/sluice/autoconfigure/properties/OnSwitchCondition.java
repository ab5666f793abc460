package dev.sluice.autoconfigure.properties;

import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.Order;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Condition of {@link ConditionalOnSwitch}. As conditions on properties of Boot, it comes
 * before the conditions on beans.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 40)
class OnSwitchCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		MergedAnnotation<ConditionalOnSwitch> annotation = metadata.getAnnotations().get(ConditionalOnSwitch.class);
		boolean matchIfMissing = annotation.getBoolean("matchIfMissing");
		String off = Stream.of(annotation.getStringArray("value"))
			.filter((name) -> !BooleanProperty.isOn(context.getEnvironment(), name, matchIfMissing))
			.findFirst()
			.orElse(null);
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnSwitch.class);
		return (off == null) ? ConditionOutcome.match(message.because("all are on"))
				: ConditionOutcome.noMatch(message.because("'" + off + "' is off"));
	}

}
