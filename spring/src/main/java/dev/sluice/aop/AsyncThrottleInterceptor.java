package dev.sluice.aop;

import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/** Interceptor that makes calls wait in line before {@code @Async} takes a thread. */
final class AsyncThrottleInterceptor implements MethodInterceptor {

	private final Supplier<ThrottleGate> gate;

	AsyncThrottleInterceptor(Supplier<ThrottleGate> gate) {
		this.gate = SingletonSupplier.of(gate);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		return this.gate.get().callAsync(invocation);
	}

}
