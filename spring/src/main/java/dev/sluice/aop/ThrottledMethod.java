package dev.sluice.aop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** What one limited method asks for; read from its annotations once. */
final class ThrottledMethod {

	private static final SimpleEvaluationContext READ_ONLY = SimpleEvaluationContext.forReadOnlyDataBinding()
		.withInstanceMethods()
		.build();

	private final ThrottlingManager manager;

	private final MethodParameters parameters;

	private final List<MethodLimit> limits;

	ThrottledMethod(ThrottlingManager manager, MethodParameters parameters, List<MethodLimit> limits) {
		this.manager = manager;
		this.parameters = parameters;
		this.limits = List.copyOf(limits);
	}

	/** Takes the permits of all limits for one call, or throws and takes none. */
	Permit enter(@Nullable Object[] arguments, Map<String, ? extends @Nullable Object> variables) {
		CallContext context = new CallContext(READ_ONLY, this.parameters, arguments, variables);
		List<AcquireRequest> requests = new ArrayList<>(this.limits.size());
		for (MethodLimit limit : this.limits) {
			int permits = limit.permits(context);
			if (permits > 0) {
				requests.add(AcquireRequest.of(limit.resource(), limit.key(context)).permits(permits));
			}
		}
		if (requests.isEmpty()) {
			return NoPermit.INSTANCE;
		}
		Decision decision = this.manager.tryAcquire(requests.toArray(AcquireRequest[]::new));
		if (!decision.admitted()) {
			throw decision.throttled();
		}
		return decision.permit();
	}

}
