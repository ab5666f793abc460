package dev.sluice.aop;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.util.StringValueResolver;

/**
 * Takes the permits that the annotations of a method ask for. The advisor enters it for
 * every bean method; a dispatcher that calls methods by other ways enters it itself (see
 * {@link DispatchedMethods}). Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ThrottleGate {

	private final ThrottledMethodReader reader;

	private final Map<MethodClassKey, Optional<ThrottledMethod>> methods = new ConcurrentHashMap<>();

	/**
	 * Creates a gate.
	 * @param manager the limits to ask; mutexes that a method names are added to it
	 * @param placeholders replaces the placeholders in the annotations
	 */
	public ThrottleGate(ThrottlingManager manager, StringValueResolver placeholders) {
		this.reader = new ThrottledMethodReader(manager, placeholders);
	}

	/**
	 * Tells whether annotations limit a method, and defines their limits where the
	 * annotations themselves do.
	 * @param method the method
	 * @param targetClass the class of the object that is called, not of a proxy before it
	 * @return whether calls of it must {@link #enter enter}
	 * @throws InvalidThrottledMethodException if the annotations cannot be followed
	 */
	public boolean guards(Method method, Class<?> targetClass) {
		return find(method, targetClass).isPresent();
	}

	/**
	 * Takes the permits for one call of a method: those of all its limits, or none. Never
	 * waits.
	 * @param method the method
	 * @param target the object that is called, or a proxy before it
	 * @param arguments the arguments of the call
	 * @param variables what expressions see beside the arguments: {@code session},
	 * {@code principal}, {@code headers}
	 * @return the permits, to be closed when the call has ended; a permit over nothing if
	 * the method is not limited
	 * @throws dev.sluice.throttle.ThrottledException if a limit rejects the call
	 * @throws InvalidThrottledMethodException if the annotations cannot be followed
	 * @throws IllegalStateException if an expression fails or gives {@code null}
	 */
	public Permit enter(Method method, Object target, @Nullable Object[] arguments,
			Map<String, ? extends @Nullable Object> variables) {
		return enter(method, AopUtils.getTargetClass(target), arguments, variables);
	}

	Permit enter(Method method, Class<?> targetClass, @Nullable Object[] arguments,
			Map<String, ? extends @Nullable Object> variables) {
		return find(method, targetClass).map((throttled) -> throttled.enter(arguments, variables))
			.orElse(NoPermit.INSTANCE);
	}

	private Optional<ThrottledMethod> find(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		Optional<ThrottledMethod> found = this.methods.get(key);
		if (found == null) {
			found = this.reader.read(AopUtils.getMostSpecificMethod(method, targetClass));
			this.methods.put(key, found);
		}
		return found;
	}

}
