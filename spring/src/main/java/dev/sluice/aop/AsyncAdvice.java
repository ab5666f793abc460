package dev.sluice.aop;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;

/** Look-up of the advice of {@code @Async}, whichever annotation asked for it. */
final class AsyncAdvice {

	private AsyncAdvice() {
	}

	/** Tells whether the thread of a call is one that the advice has chosen. */
	static boolean surrounds(MethodInvocation invocation) {
		if (!(invocation instanceof ProxyMethodInvocation proxied)
				|| !(proxied.getProxy() instanceof Advised advised)) {
			return false;
		}
		for (Advisor advisor : advised.getAdvisors()) {
			if (advisor.getAdvice() instanceof AsyncExecutionInterceptor && matches(advisor, invocation)) {
				return true;
			}
		}
		return false;
	}

	private static boolean matches(Advisor advisor, MethodInvocation invocation) {
		if (!(advisor instanceof PointcutAdvisor pointcutAdvisor)) {
			return true;
		}
		Method method = invocation.getMethod();
		Object target = invocation.getThis();
		Class<?> type = (target != null) ? target.getClass() : method.getDeclaringClass();
		return pointcutAdvisor.getPointcut().getClassFilter().matches(type)
				&& pointcutAdvisor.getPointcut().getMethodMatcher().matches(method, type);
	}

}
