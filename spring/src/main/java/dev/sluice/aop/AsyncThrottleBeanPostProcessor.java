package dev.sluice.aop;

import java.util.function.Supplier;

import dev.sluice.aop.spi.DispatchedMethods;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Post processor that lets calls of {@code @Async} methods wait in line before they take
 * a thread of the executor. It adds advice around the advice of {@code @Async}, which
 * consults the limits of a call first, and passes the admission to the
 * {@link ThrottleAdvisor} further inside. It has no order, so that it runs after the post
 * processors that apply {@code @Async}.
 *
 * @since 0.1.0
 */
public final class AsyncThrottleBeanPostProcessor implements BeanPostProcessor {

	private final MethodInterceptor before;

	private final DispatchedMethods dispatched;

	/**
	 * Creates the post processor.
	 * @param gate supplies the gate, which is not requested before the first call
	 * @param dispatched the methods to leave alone
	 */
	public AsyncThrottleBeanPostProcessor(Supplier<ThrottleGate> gate, DispatchedMethods dispatched) {
		this.before = new AsyncThrottleInterceptor(gate);
		this.dispatched = dispatched;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof Advised advised && !(bean instanceof AopInfrastructureBean) && !advised.isFrozen()) {
			Class<?> type = AopUtils.getTargetClass(bean);
			for (int i = advised.getAdvisorCount() - 1; i >= 0; i--) {
				if (AsyncAdvice.is(advised.getAdvisors()[i])) {
					surround(advised, i, type);
				}
			}
		}
		return bean;
	}

	private void surround(Advised advised, int position, Class<?> type) {
		Advisor async = advised.getAdvisors()[position];
		Pointcut pointcut = new ThrottlePointcut(this.dispatched, (method) -> AsyncAdvice.matches(async, method, type));
		if (AopUtils.canApply(pointcut, type)) {
			MethodInterceptor inside = AsyncCall::proceed;
			advised.addAdvisor(position + 1, new DefaultPointcutAdvisor(pointcut, inside));
			advised.addAdvisor(position, new DefaultPointcutAdvisor(pointcut, this.before));
		}
	}

}
