package dev.sluice.aop;

import java.util.Map;
import java.util.function.Supplier;

import dev.sluice.throttle.Permit;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/** Enters the gate before a method and leaves it afterwards, however the method ends. */
final class ThrottleInterceptor implements MethodInterceptor {

	private final Supplier<ThrottleGate> gate;

	ThrottleInterceptor(Supplier<ThrottleGate> gate) {
		this.gate = SingletonSupplier.of(gate);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? target.getClass() : invocation.getMethod().getDeclaringClass();
		Permit permit = this.gate.get().enter(invocation.getMethod(), targetClass, invocation.getArguments(), Map.of());
		try {
			return invocation.proceed();
		}
		finally {
			permit.close();
		}
	}

}
