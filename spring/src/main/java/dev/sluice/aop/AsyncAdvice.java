package dev.sluice.aop;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;

/** Look-up of the advice of {@code @Async}, for any annotation that enables it. */
final class AsyncAdvice {

	private AsyncAdvice() {
	}

	/** Returns whether the thread of a call is one that the advice has chosen. */
	static boolean surrounds(MethodInvocation invocation) {
		if (!(invocation instanceof ProxyMethodInvocation proxied)
				|| !(proxied.getProxy() instanceof Advised advised)) {
			return false;
		}
		Object target = invocation.getThis();
		Class<?> type = (target != null) ? target.getClass() : invocation.getMethod().getDeclaringClass();
		for (Advisor advisor : advised.getAdvisors()) {
			if (is(advisor) && matches(advisor, invocation.getMethod(), type)) {
				return true;
			}
		}
		return false;
	}

	/** Returns whether an advisor has the advice. */
	static boolean is(Advisor advisor) {
		return advisor.getAdvice() instanceof AsyncExecutionInterceptor;
	}

	/** Returns whether the advice is for a method of a type. */
	static boolean matches(Advisor advisor, Method method, Class<?> type) {
		if (!(advisor instanceof PointcutAdvisor pointcutAdvisor)) {
			return true;
		}
		return pointcutAdvisor.getPointcut().getClassFilter().matches(type)
				&& pointcutAdvisor.getPointcut().getMethodMatcher().matches(method, type);
	}

}
