package dev.sluice.aop;

import java.lang.reflect.Method;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Reads the limited methods of all beans once the singletons are ready, so that a mistake
 * in an annotation stops the start instead of a call. Looks at types only: no bean is
 * created for it.
 *
 * @since 0.1.0
 */
public final class ThrottledMethodVerifier implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beanFactory;

	private final ThrottleGate gate;

	/**
	 * Creates the verifier.
	 * @param beanFactory the beans to look at
	 * @param gate the gate to read the methods with
	 */
	public ThrottledMethodVerifier(ConfigurableListableBeanFactory beanFactory, ThrottleGate gate) {
		this.beanFactory = beanFactory;
		this.gate = gate;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
			if (type != null && !ScopedProxyUtils.isScopedTarget(beanName)
					&& AnnotationUtils.isCandidateClass(type, LimitAnnotations.TYPES)) {
				verify(beanName, type);
			}
		}
	}

	private void verify(String beanName, Class<?> type) {
		try {
			MethodIntrospector.selectMethods(type, (Method method) -> this.gate.guards(method, type));
		}
		catch (InvalidThrottledMethodException ex) {
			throw ex.inBean(beanName);
		}
	}

}
