package dev.sluice.aop.internal.method;

import java.beans.PropertyDescriptor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.sluice.annotation.InvalidThrottledMethodException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.IntLiteral;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * An expression over the parameters of one method, read and checked once. It may read
 * properties and call instance methods of its variables, and nothing else. An expression
 * that could reach a type, a bean or a constructor, or change a value, is rejected before
 * the first call.
 */
final class MethodExpression {

	private static final Set<String> VARIABLES = Set.of("session", "principal", "headers");

	private static final List<Class<? extends SpelNode>> REJECTED = List.of(TypeReference.class, BeanReference.class,
			ConstructorReference.class, FunctionReference.class, Assign.class, OpInc.class, OpDec.class);

	private final SpelExpression expression;

	private final AnnotationAttribute attribute;

	private MethodExpression(SpelExpression expression, AnnotationAttribute attribute) {
		this.expression = expression;
		this.attribute = attribute;
	}

	/**
	 * Reads and checks an expression.
	 * @param parser the parser, which determines the compilation
	 * @param text the expression, placeholders already replaced
	 * @param parameters the parameters that the expression may name
	 * @param attribute where the expression stands
	 * @return the expression
	 * @throws InvalidThrottledMethodException if it cannot be parsed, uses an unknown
	 * name, or contains an operation that is not allowed
	 */
	static MethodExpression parse(SpelExpressionParser parser, String text, MethodParameters parameters,
			AnnotationAttribute attribute) {
		try {
			SpelExpression expression = (SpelExpression) parser.parseExpression(text);
			new Check(parameters, attribute).check(expression.getAST(), Place.START);
			return new MethodExpression(expression, attribute);
		}
		catch (ParseException ex) {
			throw attribute.invalid("is not a SpEL expression: " + ex.getMessage(),
					"Correct the expression; text stands in single quotes, parameters start with '#'.", ex);
		}
	}

	/**
	 * Evaluates the expression for one call.
	 * @param context the variables of the call
	 * @return the value, never {@code null}
	 * @throws IllegalStateException if the value is {@code null} or cannot be computed
	 */
	Object evaluate(CallContext context) {
		Object value;
		try {
			value = this.expression.getValue(context);
		}
		catch (EvaluationException ex) {
			throw new IllegalStateException(
					"Cannot evaluate " + this.attribute + ": " + ex.getMessage() + hint(context), ex);
		}
		if (value == null) {
			throw new IllegalStateException("The result is null of " + this.attribute + hint(context));
		}
		return value;
	}

	/**
	 * Evaluates the expression to a key or an owner.
	 * @param context the variables of the call
	 * @return its text
	 * @throws IllegalStateException if the value is {@code null}, cannot be computed or
	 * has no content that could be compared
	 */
	String evaluateText(CallContext context) {
		return KeyText.of(evaluate(context), this.attribute);
	}

	/** The variable that is null most often although its name is correct. */
	private String hint(CallContext context) {
		boolean anonymous = this.expression.getExpressionString().contains("#principal")
				&& context.lookupVariable("principal") == null;
		return anonymous ? ". #principal is null, as the client is anonymous: write"
				+ " #principal?.name ?: 'anonymous', or let only authenticated clients connect" : "";
	}

	/**
	 * Evaluates the expression to a number of permits.
	 * @param context the variables of the call
	 * @return the permits, 0 or more
	 * @throws IllegalStateException if the value is not a number of permits or cannot be
	 * computed
	 */
	int evaluatePermits(CallContext context) {
		Object value = evaluate(context);
		if (value instanceof Number number && number.doubleValue() == number.intValue() && number.intValue() >= 0) {
			return number.intValue();
		}
		throw new IllegalStateException("Not a number of permits: " + value + ", the result of " + this.attribute);
	}

	/** Returns the number if the expression is a literal, otherwise {@code null}. */
	@Nullable Integer number() {
		SpelNode node = this.expression.getAST();
		if (node instanceof OpMinus && node.getChildCount() == 1) {
			Integer negated = number(node.getChild(0));
			return (negated != null) ? -negated : null;
		}
		return number(node);
	}

	private static @Nullable Integer number(SpelNode node) {
		return (node instanceof IntLiteral number && number.getLiteralValue().getValue() instanceof Integer value)
				? value : null;
	}

	/** Returns the text if the expression is one in quotes, otherwise {@code null}. */
	@Nullable String literal() {
		return (this.expression.getAST() instanceof StringLiteral text)
				? String.valueOf(text.getLiteralValue().getValue()) : null;
	}

	/**
	 * Returns the type if the expression is a text or a parameter, otherwise
	 * {@code null}.
	 */
	@Nullable Class<?> declaredType(MethodParameters parameters) {
		SpelNode node = this.expression.getAST();
		if (node instanceof StringLiteral) {
			return String.class;
		}
		return (node instanceof VariableReference) ? parameters.type(node.toStringAST().substring(1)) : null;
	}

	/** Returns the type of the record's property of this name, or {@code null}. */
	private static @Nullable Class<?> typeOf(Class<?> type, String property) {
		PropertyDescriptor descriptor = BeanUtils.getPropertyDescriptor(type, property);
		if (descriptor != null && descriptor.getReadMethod() != null) {
			return descriptor.getReadMethod().getReturnType();
		}
		return Arrays.stream(type.getRecordComponents())
			.filter((component) -> component.getName().equals(property))
			.findFirst()
			.<Class<?>>map(RecordComponent::getType)
			.orElse(null);
	}

	private static String propertiesOf(Class<?> type) {
		return Arrays.stream(type.getRecordComponents())
			.map(RecordComponent::getName)
			.collect(Collectors.joining(", "));
	}

	/** Position of a node, which determines the meaning of a bare name there. */
	private enum Place {

		/** At the start: a bare name would be a property without an object. */
		START,

		/** After a dot, or as a map key. */
		MEMBER,

		/** In a projection or selection, which reads bare names from its elements. */
		ELEMENT

	}

	/** Walks the tree of an expression once. */
	private record Check(MethodParameters parameters, AnnotationAttribute attribute) {

		void check(SpelNode node, Place place) {
			if (REJECTED.stream().anyMatch((rejected) -> rejected.isInstance(node))) {
				throw this.attribute.invalid("must not use '" + node.toStringAST() + "'",
						"Read properties and call instance methods of the parameters only;"
								+ " move anything else into a method of a parameter's type.");
			}
			if (node instanceof VariableReference) {
				checkName(node.toStringAST().substring(1), place);
			}
			if (place == Place.START && (node instanceof PropertyOrFieldReference || node instanceof MethodReference)) {
				throw this.attribute.invalid("has '" + node.toStringAST() + "' with nothing before it",
						"Start with a parameter: " + visible());
			}
			if (node instanceof CompoundExpression && node.getChild(0) instanceof VariableReference variable) {
				checkProperties(node, this.parameters.type(variable.toStringAST().substring(1)));
			}
			for (int i = 0; i < node.getChildCount(); i++) {
				check(node.getChild(i), childPlace(node, i, place));
			}
		}

		private static Place childPlace(SpelNode node, int child, Place place) {
			if (node instanceof Projection || node instanceof Selection) {
				return Place.ELEMENT;
			}
			if (node instanceof Indexer || node instanceof CompoundExpression && child > 0) {
				return Place.MEMBER;
			}
			return (place == Place.MEMBER) ? Place.START : place;
		}

		private void checkName(String name, Place place) {
			boolean element = place == Place.ELEMENT && Set.of("this", "root").contains(name);
			if (!element && !VARIABLES.contains(name) && this.parameters.position(name) == null) {
				throw this.attribute.invalid("names '#" + name + "', which is neither a parameter nor one of "
						+ "#session, #principal, #headers", "Use one of: " + visible());
			}
		}

		/**
		 * Checks the properties of records, because no subclass can add any.
		 */
		private void checkProperties(SpelNode path, @Nullable Class<?> start) {
			Class<?> type = start;
			for (int i = 1; i < path.getChildCount(); i++) {
				if (type == null || !type.isRecord()
						|| !(path.getChild(i) instanceof PropertyOrFieldReference property)) {
					return;
				}
				Class<?> next = typeOf(type, property.getName());
				if (next == null) {
					throw this.attribute.invalid(
							"reads '" + property.getName() + "', which " + type.getSimpleName() + " does not have",
							"Use one of: " + propertiesOf(type) + '.');
				}
				type = next;
			}
		}

		private String visible() {
			List<String> names = this.parameters.names();
			if (names == null) {
				return "#a0, #a1 and so on by position; for names, compile with -parameters.";
			}
			return (names.isEmpty() ? "none, as there are no parameters" : '#' + String.join(", #", names))
					+ "; in message handlers also #session, #principal, #headers.";
		}

	}

}
