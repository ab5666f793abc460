package dev.sluice.aop;

import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/** Interceptor that passes the calls of limited methods through the gate. */
final class ThrottleInterceptor implements MethodInterceptor {

	private final Supplier<ThrottleGate> gate;

	ThrottleInterceptor(Supplier<ThrottleGate> gate) {
		this.gate = SingletonSupplier.of(gate);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		return this.gate.get().call(invocation);
	}

}
