package dev.sluice.autoconfigure.batch;

import java.util.Arrays;
import java.util.List;

import dev.sluice.autoconfigure.properties.NearestName;
import dev.sluice.batch.BatchConsumer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains the failed injection of a {@link BatchConsumer} that is not defined. Replaces
 * Boot's analyzer, whose advice does not cover how to define one.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class UnknownBatchFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private final BeanFactory beans;

	UnknownBatchFailureAnalyzer(BeanFactory beans) {
		this.beans = beans;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		if (cause.getResolvableType() == null || cause.getResolvableType().resolve() != BatchConsumer.class) {
			return null;
		}
		String name = name(rootFailure);
		String place = (description != null) ? description : "A lookup";
		if (name == null) {
			return new FailureAnalysis(
					place + " required a " + cause.getResolvableType() + ", and there is no batch of such items.",
					"Annotate a method that has a List of these items with @BatchListener." + known(), cause);
		}
		return new FailureAnalysis(
				place + " required the batch '" + name + "' as a " + cause.getResolvableType()
						+ ", and nothing listens to a batch of that name and such items.",
				NearestName.question(name, names(), "")
						+ "Annotate a method that has a List of these items with @BatchListener(\"" + name + "\")."
						+ known(),
				cause);
	}

	/** Returns the qualifier of the innermost dependency. */
	private static @Nullable String name(Throwable failure) {
		InjectionPoint point = null;
		for (Throwable one = failure; one != null; one = one.getCause()) {
			if (one instanceof UnsatisfiedDependencyException unsatisfied) {
				point = unsatisfied.getInjectionPoint();
			}
		}
		Qualifier qualifier = (point != null) ? point.getAnnotation(Qualifier.class) : null;
		return (qualifier != null) ? qualifier.value() : null;
	}

	private String known() {
		return names().isEmpty() ? "" : " Batches so far: " + String.join(", ", names()) + '.';
	}

	private List<String> names() {
		return (this.beans instanceof ListableBeanFactory listable) ? Arrays.stream(listable.getBeanDefinitionNames())
			.filter((bean) -> bean.startsWith(BatchTargets.BEAN_PREFIX))
			.map((bean) -> bean.substring(BatchTargets.BEAN_PREFIX.length()))
			.toList() : List.of();
	}

}
