package dev.sluice.aop;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mode;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** What the annotations of one method ask for; read once. */
final class ThrottledMethod {

	private static final SimpleEvaluationContext READ_ONLY = SimpleEvaluationContext.forReadOnlyDataBinding()
		.withInstanceMethods()
		.build();

	private final Method method;

	private final ThrottlingManager manager;

	private final MethodParameters parameters;

	private final List<MethodLimit> limits;

	private final List<MethodLimit> released;

	private final boolean kept;

	private final MethodPolicy policy;

	ThrottledMethod(Method method, ThrottlingManager manager, MethodParameters parameters, List<MethodLimit> limits,
			MethodPolicy policy) {
		this.method = method;
		this.manager = manager;
		this.parameters = parameters;
		this.limits = limits.stream().filter((limit) -> limit.mode() != Mode.RELEASE).toList();
		this.released = limits.stream().filter((limit) -> limit.mode() == Mode.RELEASE).toList();
		this.kept = limits.stream().anyMatch((limit) -> limit.mode() == Mode.ACQUIRE);
		this.policy = policy;
	}

	/** The method, as its class declares it. */
	Method method() {
		return this.method;
	}

	ThrottlingManager manager() {
		return this.manager;
	}

	MethodPolicy policy() {
		return this.policy;
	}

	boolean waits() {
		return this.policy.action() == Action.WAIT;
	}

	CallContext context(@Nullable Object[] arguments, Map<String, ? extends @Nullable Object> variables) {
		return new CallContext(READ_ONLY, this.parameters, arguments, variables);
	}

	/** Returns what a call asks for, which may be nothing. */
	AcquireRequest[] requests(CallContext context) {
		List<AcquireRequest> requests = new ArrayList<>(this.limits.size());
		for (MethodLimit limit : this.limits) {
			AcquireRequest request = limit.request(context);
			if (request != null) {
				requests.add(waits() ? request.maxWait(this.policy.maxWait()) : request);
			}
		}
		return requests.toArray(AcquireRequest[]::new);
	}

	/** Returns what gives back, at the end of a call, what its owners held before it. */
	List<Runnable> releases(CallContext context) {
		if (this.released.isEmpty()) {
			return List.of();
		}
		List<Runnable> releases = new ArrayList<>(this.released.size());
		for (MethodLimit limit : this.released) {
			String key = limit.keyOf(context);
			String owner = limit.ownerOf(context);
			releases.add(() -> this.manager.find(limit.resource()).ifPresent((held) -> held.release(key, owner)));
		}
		return releases;
	}

	/** Tells whether permits stay with their owner after a call that succeeded. */
	boolean keeps() {
		return this.kept;
	}

	@Override
	public String toString() {
		return this.limits.stream().map(MethodLimit::resource).collect(Collectors.joining("', '", "'", "'"));
	}

}
