package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.sluice.aop.internal.result.SuspendFunctions;
import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/** The names of the parameters of one method in expressions. */
final class MethodParameters {

	private static final ParameterNameDiscoverer DISCOVERER = new DefaultParameterNameDiscoverer();

	private final Map<String, Integer> positions = new HashMap<>();

	private final @Nullable List<String> names;

	private final Class<?>[] types;

	MethodParameters(Method method) {
		this.types = method.getParameterTypes();
		int count = SuspendFunctions.parameterCount(method);
		for (int i = 0; i < count; i++) {
			this.positions.put("a" + i, i);
			this.positions.put("p" + i, i);
		}
		@Nullable String[] discovered = DISCOVERER.getParameterNames(method);
		this.names = (discovered != null) ? Arrays.stream(discovered).limit(count).map(String::valueOf).toList() : null;
		if (this.names != null) {
			for (int i = 0; i < this.names.size(); i++) {
				this.positions.put(this.names.get(i), i);
			}
		}
	}

	/**
	 * Returns the names in their order, or {@code null} if the class file has none.
	 */
	@Nullable List<String> names() {
		return this.names;
	}

	/** Returns the position of the parameter of this name, or {@code null}. */
	@Nullable Integer position(String name) {
		return this.positions.get(name);
	}

	/** Returns the type of the parameter of this name, or {@code null}. */
	@Nullable Class<?> type(String name) {
		Integer position = position(name);
		return (position != null) ? this.types[position] : null;
	}

}
