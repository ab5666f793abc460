package dev.sluice.aop;

import java.util.function.Supplier;

import dev.sluice.aop.internal.method.LimitAnnotations;
import dev.sluice.aop.spi.DispatchedMethods;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * Post processor that puts the {@link ThrottleGate} before strict methods: inside
 * {@code @Async}, but outside {@code @Retryable} and everything else, so that all
 * attempts are one call. An ordered advisor cannot be in that place, because the
 * annotations around it are applied by post processors that run after the proxy was
 * created.
 *
 * @since 0.1.0
 * @see ThrottleAdvisor
 */
public final class StrictThrottleBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the post processor.
	 * @param gate supplies the gate, which is not requested before the first call
	 * @param dispatched the methods to leave alone
	 * @param strict whether methods are strict if their annotations do not specify it
	 */
	public StrictThrottleBeanPostProcessor(Supplier<ThrottleGate> gate, DispatchedMethods dispatched, boolean strict) {
		this.advisor = new DefaultPointcutAdvisor(
				new ThrottlePointcut(dispatched, (method) -> LimitAnnotations.strict(method, strict)),
				new ThrottleInterceptor(gate));
		setOrder(Ordered.LOWEST_PRECEDENCE);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (this.advisor != null && bean instanceof Advised advised && !(bean instanceof AopInfrastructureBean)
				&& !advised.isFrozen() && isEligible(AopUtils.getTargetClass(bean))) {
			advised.addAdvisor(firstInsideAsync(advised), this.advisor);
			return bean;
		}
		return super.postProcessAfterInitialization(bean, beanName);
	}

	private static int firstInsideAsync(Advised advised) {
		Advisor[] advisors = advised.getAdvisors();
		int position = 0;
		for (int i = 0; i < advisors.length; i++) {
			if (AsyncAdvice.is(advisors[i])) {
				position = i + 1;
			}
		}
		return position;
	}

}
