package dev.sluice.annotation;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.security.Principal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.BeanUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/**
 * Hints for the types whose members the expressions of a method read. Only the declared
 * types of its parameters are considered.
 *
 * @param hints where the hints are registered
 * @param method the limited method
 */
record ExpressionHints(ReflectionHints hints, Method method) {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	/** Types of {@code #session} and {@code #headers}, by the kind of the handler. */
	private static final List<String> SESSION = List.of("dev.sluice.websocket.ManagedSession",
			"org.springframework.web.socket.WebSocketSession");

	private static final String HEADERS = "org.springframework.http.HttpHeaders";

	/**
	 * Registers the types that an expression reads; an invalid expression stops the start
	 * later.
	 */
	void register(String expression) {
		try {
			register(new SpelExpressionParser().parseRaw(expression).getAST());
		}
		catch (ParseException ex) {
			return;
		}
	}

	private void register(@Nullable SpelNode node) {
		if (node == null) {
			return;
		}
		if (node instanceof CompoundExpression && node.getChild(0) instanceof VariableReference variable) {
			registerPath(node, typeOf(variable.toStringAST().substring(1)));
		}
		if (node instanceof VariableReference variable) {
			registerRecord(parameter(variable.toStringAST().substring(1)), new HashSet<>());
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			register(node.getChild(i));
		}
	}

	/** Registers the components of a record that is a key or a part of one. */
	private void registerRecord(@Nullable Class<?> type, Set<Class<?>> registered) {
		if (type != null && type.isRecord() && registered.add(type)) {
			this.hints.registerType(type, MemberCategory.INVOKE_DECLARED_METHODS);
			for (RecordComponent component : type.getRecordComponents()) {
				registerRecord(component.getType(), registered);
			}
		}
	}

	private void registerPath(SpelNode path, @Nullable Class<?> start) {
		Class<?> type = start;
		for (int i = 1; i < path.getChildCount() && type != null; i++) {
			this.hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS, MemberCategory.ACCESS_PUBLIC_FIELDS);
			type = typeOf(type, path.getChild(i));
		}
	}

	private @Nullable Class<?> typeOf(String variable) {
		switch (variable) {
			case "session" -> {
				this.hints.registerType(this.method.getDeclaringClass(), MemberCategory.INVOKE_PUBLIC_METHODS);
				SESSION.forEach((type) -> this.hints.registerTypeIfPresent(getClass().getClassLoader(), type,
						MemberCategory.INVOKE_PUBLIC_METHODS));
				return null;
			}
			case "headers" -> {
				this.hints.registerTypeIfPresent(getClass().getClassLoader(), HEADERS,
						MemberCategory.INVOKE_PUBLIC_METHODS);
				return null;
			}
			case "principal" -> {
				return Principal.class;
			}
			default -> {
				return parameter(variable);
			}
		}
	}

	private @Nullable Class<?> parameter(String variable) {
		@Nullable String[] names = Objects.requireNonNullElse(NAMES.getParameterNames(this.method), new String[0]);
		for (int i = 0; i < this.method.getParameterCount(); i++) {
			if (variable.equals("a" + i) || variable.equals("p" + i) || i < names.length && variable.equals(names[i])) {
				return ClassUtils.resolvePrimitiveIfNecessary(this.method.getParameterTypes()[i]);
			}
		}
		return null;
	}

	private static @Nullable Class<?> typeOf(Class<?> type, SpelNode member) {
		if (member instanceof PropertyOrFieldReference property) {
			PropertyDescriptor descriptor = BeanUtils.getPropertyDescriptor(type, property.getName());
			return (descriptor != null && descriptor.getReadMethod() != null)
					? descriptor.getReadMethod().getReturnType() : result(type, property.getName());
		}
		return (member instanceof MethodReference reference) ? result(type, reference.getName()) : null;
	}

	private static @Nullable Class<?> result(Class<?> type, String method) {
		return Arrays.stream(type.getMethods())
			.filter((candidate) -> candidate.getName().equals(method))
			.findFirst()
			.<Class<?>>map(Method::getReturnType)
			.orElse(null);
	}

}
