package dev.sluice.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.sluice.annotation.AnnotatedTypes;
import dev.sluice.annotation.InvalidThrottledMethodException;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.internal.method.LimitAnnotations;
import dev.sluice.aop.spi.DispatchedMethods;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Verifier of the limited methods of all beans, once the singletons are ready: a mistake
 * in an annotation stops the start instead of a call, and a warning names methods that no
 * proxy can limit. Only types are inspected: no bean is created for it.
 *
 * @since 0.1.0
 */
public final class ThrottledMethodVerifier implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(ThrottledMethodVerifier.class);

	private static final String ASYNC = "org.springframework.scheduling.annotation.Async";

	private static final List<String> MESSAGE_MAPPINGS = List.of(
			"org.springframework.messaging.handler.annotation.MessageMapping",
			"org.springframework.messaging.simp.annotation.SubscribeMapping");

	private final ConfigurableListableBeanFactory beanFactory;

	private final ThrottleGate gate;

	private final DispatchedMethods leftAlone;

	/**
	 * Creates the verifier.
	 * @param beanFactory the beans to verify
	 * @param gate the gate to read the methods with
	 * @param leftAlone the methods that the advisor leaves alone
	 */
	public ThrottledMethodVerifier(ConfigurableListableBeanFactory beanFactory, ThrottleGate gate,
			DispatchedMethods leftAlone) {
		this.beanFactory = beanFactory;
		this.gate = gate;
		this.leftAlone = leftAlone;
	}

	/*
	 * Limits are defined before any is looked up, because one method may name a limit
	 * that another one defines.
	 */
	@Override
	public void afterSingletonsInstantiated() {
		Map<String, Class<?>> types = types();
		List<DispatchedMethod> dispatched = this.gate.dispatched();
		types.forEach((beanName, type) -> forEachMethod(beanName, type, (method) -> this.gate.define(method, type)));
		dispatched.forEach((handler) -> this.gate.define(handler.method(), handler.targetClass()));
		types.forEach((beanName, type) -> forEachMethod(beanName, type, (method) -> verify(beanName, type, method)));
		dispatched.forEach((handler) -> this.gate.verify(handler.method(), handler.targetClass()));
		types.forEach(ThrottledMethodVerifier::verifyType);
		this.gate.verified();
	}

	/** The annotation of a superclass may be for other subclasses. */
	private static void verifyType(String beanName, Class<?> type) {
		if (MergedAnnotations.from(type).isPresent(WhenThrottled.class)
				&& MethodIntrospector.selectMethods(type, LimitAnnotations::present).isEmpty()) {
			logger.warn("@WhenThrottled on " + type + " of bean '" + beanName
					+ "' has no effect, as no method of the class is limited");
		}
	}

	private Map<String, Class<?>> types() {
		Map<String, Class<?>> types = new LinkedHashMap<>();
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
			if (type != null && !ScopedProxyUtils.isScopedTarget(beanName) && AnnotatedTypes.contain(type)) {
				types.put(beanName, type);
			}
		}
		return types;
	}

	private static void forEachMethod(String beanName, Class<?> type, Consumer<Method> consumer) {
		try {
			MethodIntrospector.selectMethods(type, LimitAnnotations::anyPresent).forEach(consumer);
		}
		catch (InvalidThrottledMethodException ex) {
			throw ex.inBean(beanName);
		}
	}

	private void verify(String beanName, Class<?> type, Method method) {
		if (!this.gate.verify(method, type)) {
			throw new InvalidThrottledMethodException(method, beanName, "has @WhenThrottled, but nothing limits it",
					"Add @Throttled, @Semaphore or @Mutex, or remove @WhenThrottled.");
		}
		if (this.gate.retriesInVain(method, type) && !this.leftAlone.contains(method, type)
				&& !isAsync(beanName, type, method) && !handlesMessages(method)) {
			throw new InvalidThrottledMethodException(method, beanName,
					"'action = RETRY' of @WhenThrottled cannot be followed, as the callers of the method block",
					"Add @Async, return a CompletionStage, Mono or Flux, or set action = Action.WAIT.");
		}
		String obstacle = obstacle(type, method);
		if (obstacle != null) {
			logger.warn("Method " + ClassUtils.getQualifiedMethodName(method) + " of bean '" + beanName
					+ "' is not limited as its annotations require: it is " + obstacle);
		}
		else if (ContainerCallbacks.createsSingleton(method)) {
			logger.warn("The limits of @Bean method " + ClassUtils.getQualifiedMethodName(method)
					+ " apply to the creation of the bean alone. Annotate the class of the bean");
		}
	}

	/**
	 * The advice of an existing bean is more precise than the annotation, but exists only
	 * once the bean does.
	 */
	private boolean isAsync(String beanName, Class<?> type, Method method) {
		return Stream.of(method, method.getDeclaringClass(), type)
			.anyMatch((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC))
				|| this.beanFactory.getSingleton(beanName) instanceof Advised advised && Stream
					.of(advised.getAdvisors())
					.anyMatch((advisor) -> AsyncAdvice.is(advisor) && AsyncAdvice.matches(advisor, method, type));
	}

	/**
	 * STOMP methods are called through the proxy, with permits that their session has
	 * acquired.
	 */
	private static boolean handlesMessages(Method method) {
		return MESSAGE_MAPPINGS.stream()
			.anyMatch(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)::isPresent);
	}

	private @Nullable String obstacle(Class<?> type, Method method) {
		if (this.leftAlone.contains(method, type)) {
			return isDispatched(type, method) ? null
					: "a callback, which is called without permits (for messages, wrap the handler)";
		}
		int modifiers = method.getModifiers();
		if (Modifier.isPrivate(modifiers)) {
			return "private, and proxies do not intercept its calls";
		}
		if (Modifier.isStatic(modifiers)) {
			return "static, and proxies do not intercept its calls";
		}
		if (Modifier.isFinal(modifiers)) {
			return "final, and proxies do not intercept its calls";
		}
		// a limit on the type is meant for the methods that other beans call
		return LimitAnnotations.carried(method) ? ContainerCallbacks.describe(type, method) : null;
	}

	/**
	 * A limit on the type applies to its messages, not to its other callbacks.
	 */
	private boolean isDispatched(Class<?> type, Method method) {
		return this.gate.dispatched()
			.stream()
			.filter((dispatched) -> dispatched.targetClass() == type)
			.anyMatch((dispatched) -> dispatched.method().equals(method) || !LimitAnnotations.carried(method));
	}

}
