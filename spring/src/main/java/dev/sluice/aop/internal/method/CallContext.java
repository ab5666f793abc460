package dev.sluice.aop.internal.method;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * Evaluation context of one call: its arguments, then the variables of its dispatcher.
 * Everything else is delegated to a {@link SimpleEvaluationContext} that all calls share,
 * because building one for each would cost more than the limits do.
 *
 * @param shared the context for everything else
 * @param parameters the parameters by name
 * @param arguments the arguments of the call
 * @param variables the variables of its dispatcher
 */
record CallContext(SimpleEvaluationContext shared, MethodParameters parameters, @Nullable Object[] arguments,
		Map<String, ? extends @Nullable Object> variables) implements EvaluationContext {

	@Override
	public @Nullable Object lookupVariable(String name) {
		Integer position = this.parameters.position(name);
		return (position != null) ? this.arguments[position] : this.variables.get(name);
	}

	@Override
	public void setVariable(String name, @Nullable Object value) {
		throw new UnsupportedOperationException("Expressions of limits cannot assign: #" + name);
	}

	@Override
	public boolean isAssignmentEnabled() {
		return false;
	}

	@Override
	public TypedValue getRootObject() {
		return this.shared.getRootObject();
	}

	@Override
	public List<PropertyAccessor> getPropertyAccessors() {
		return this.shared.getPropertyAccessors();
	}

	@Override
	public List<MethodResolver> getMethodResolvers() {
		return this.shared.getMethodResolvers();
	}

	@Override
	public @Nullable BeanResolver getBeanResolver() {
		return this.shared.getBeanResolver();
	}

	@Override
	public TypeLocator getTypeLocator() {
		return this.shared.getTypeLocator();
	}

	@Override
	public TypeConverter getTypeConverter() {
		return this.shared.getTypeConverter();
	}

	@Override
	public TypeComparator getTypeComparator() {
		return this.shared.getTypeComparator();
	}

	@Override
	public OperatorOverloader getOperatorOverloader() {
		return this.shared.getOperatorOverloader();
	}

}
