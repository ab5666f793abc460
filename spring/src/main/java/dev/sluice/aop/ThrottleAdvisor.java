package dev.sluice.aop;

import java.util.function.Supplier;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * Puts the {@link ThrottleGate} before limited methods: inside {@code @Async},
 * {@code @ConcurrencyLimit} and {@code @Retryable}, so that each attempt is counted, and
 * outside {@code @Cacheable} and {@code @Transactional}, so that a rejected call holds no
 * connection.
 *
 * @since 0.1.0
 */
public final class ThrottleAdvisor extends DefaultPointcutAdvisor {

	/** Order of the advisor: before those of caches and transactions, which come last. */
	public static final int ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the advisor.
	 * @param gate gives the gate, which is not asked for before the first call, so that
	 * no limit is created before its time
	 * @param dispatched the methods to leave alone
	 */
	public ThrottleAdvisor(Supplier<ThrottleGate> gate, DispatchedMethods dispatched) {
		super(new ThrottlePointcut(dispatched), new ThrottleInterceptor(gate));
		setOrder(ORDER);
	}

}
