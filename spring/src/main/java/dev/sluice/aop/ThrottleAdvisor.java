package dev.sluice.aop;

import java.util.function.Supplier;

import dev.sluice.aop.internal.method.LimitAnnotations;
import dev.sluice.aop.spi.DispatchedMethods;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * Advisor that puts the {@link ThrottleGate} before limited methods: inside
 * {@code @Async}, {@code @ConcurrencyLimit} and {@code @Retryable}, so that each attempt
 * is a call, and outside {@code @Cacheable} and {@code @Transactional}, so that a call
 * that is rejected or waits holds no connection. Leaves strict methods to the
 * {@link StrictThrottleBeanPostProcessor}.
 *
 * @since 0.1.0
 */
public final class ThrottleAdvisor extends DefaultPointcutAdvisor {

	/**
	 * Order of the advisor: before the advisors of caches and transactions, which come
	 * last.
	 */
	public static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the advisor.
	 * @param gate supplies the gate, which is not requested before the first call, so
	 * that no limit is created early
	 * @param dispatched the methods to leave alone
	 * @param strict whether methods are strict if their annotations do not specify it
	 */
	public ThrottleAdvisor(Supplier<ThrottleGate> gate, DispatchedMethods dispatched, boolean strict) {
		super(new ThrottlePointcut(dispatched, (method) -> !LimitAnnotations.strict(method, strict)),
				new ThrottleInterceptor(gate));
		setOrder(ORDER);
	}

}
