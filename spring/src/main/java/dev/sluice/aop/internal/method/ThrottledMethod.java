package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mode;
import dev.sluice.aop.internal.result.ResultType;
import dev.sluice.internal.HeldResources;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** One limited method with its annotations, read once. */
public final class ThrottledMethod {

	/*
	 * "onlyRate" is only ever cleared, when its limit was removed; calls then look the
	 * limit up by its name. All other state is immutable. Attacked by
	 * ThrottleAdvisorTests.
	 */

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

	/**
	 * The limit of a method whose calls neither wait nor release permits, until it is
	 * removed. A look-up by name would cost each call a tenth of its time.
	 */
	private volatile @Nullable MethodLimit onlyRate;

	ThrottledMethod(Method method, ThrottlingManager manager, MethodParameters parameters, List<MethodLimit> limits,
			MethodPolicy policy) {
		this.method = method;
		this.manager = manager;
		this.parameters = parameters;
		this.limits = limits.stream().filter((limit) -> limit.mode() != Mode.RELEASE).toList();
		this.released = limits.stream().filter((limit) -> limit.mode() == Mode.RELEASE).toList();
		this.kept = limits.stream().anyMatch((limit) -> limit.mode() == Mode.ACQUIRE);
		this.policy = policy;
		this.onlyRate = (limits.size() == 1 && limits.get(0).isSimpleRate() && !entersLater()
				&& policy.result().endsOnReturn()) ? limits.get(0) : null;
	}

	/** The method, as its class declares it. */
	public Method method() {
		return this.method;
	}

	/** The names of its limits. */
	Stream<String> resources() {
		return Stream.of(this.limits, this.released).flatMap(List::stream).map(MethodLimit::resource);
	}

	/** The kind of the method's result. */
	public ResultType result() {
		return this.policy.result();
	}

	MethodPolicy policy() {
		return this.policy;
	}

	public boolean waits() {
		return this.policy.action() == Action.WAIT;
	}

	/** Returns whether calls without an available permit are retried later. */
	public boolean retries() {
		return this.policy.retry() != null;
	}

	/** Returns whether a call without an available permit may be admitted later. */
	public boolean entersLater() {
		return waits() || retries();
	}

	CallContext context(@Nullable Object[] arguments, Map<String, ? extends @Nullable Object> variables) {
		return new CallContext(READ_ONLY, this.parameters, arguments, variables);
	}

	/**
	 * Decides a call on the fast path, for calls that end with the decision: one rate,
	 * one permit, no wait, so that nothing has to be released.
	 * @return the decision, or {@code null} if the call has to take the ordinary path
	 */
	public @Nullable Decision decide(@Nullable Object[] arguments) {
		MethodLimit rate = this.onlyRate;
		if (rate == null) {
			return null;
		}
		String key = (rate.key() != null) ? rate.keyOf(context(arguments, Map.of())) : "";
		try {
			return rate.throttle().tryAcquire(key);
		}
		catch (IllegalStateException ex) {
			// The limit was removed; a limit that has its name now is resolved in the
			// ordinary way
			this.onlyRate = null;
			return null;
		}
	}

	/** Returns the requests of a call; may be empty. */
	AcquireRequest[] requests(CallContext context) {
		AcquireRequest[] requests = new AcquireRequest[this.limits.size()];
		int number = 0;
		for (MethodLimit limit : this.limits) {
			AcquireRequest request = limit.request(context);
			if (request != null) {
				requests[number++] = waits() ? request.maxWait(this.policy.maxWait()) : request;
			}
		}
		return (number == requests.length) ? requests : Arrays.copyOf(requests, number);
	}

	/**
	 * Adds the releases, at the end of a call, of the permits that its owners held before
	 * it. The limits are looked up now, as that may block where another node has defined
	 * them.
	 */
	void addReleases(CallContext context, HeldResources resources) {
		for (MethodLimit limit : this.released) {
			String key = limit.keyOf(context);
			String owner = limit.ownerOf(context);
			this.manager.find(limit.resource())
				.ifPresent((held) -> resources.add("the permits of an owner", () -> held.releaseAsync(key, owner)));
		}
	}

	/**
	 * Rejects a call that is to release permits that its owner does not hold.
	 * @throws ThrottledException if the owner does not hold the permits
	 */
	void requireHeld(CallContext context) {
		for (MethodLimit limit : this.released) {
			if (limit.requireHeld()) {
				AcquireRequest held = AcquireRequest.of(limit.resource(), limit.keyOf(context))
					.owner(limit.ownerOf(context));
				if (this.manager.find(held.resource()).filter((throttle) -> isHeld(held, throttle)).isEmpty()) {
					throw new ThrottledException(held.resource(), held.key(), null, Decision.Reason.NOT_HELD);
				}
			}
		}
	}

	/**
	 * The list of all holders is searched only if several may hold at the same time.
	 */
	private static boolean isHeld(AcquireRequest held, Throttle throttle) {
		KeyState state = throttle.state(held.key());
		Holder oldest = state.oldestHolder().orElse(null);
		if (oldest == null || oldest.owner().equals(held.owner())) {
			return oldest != null;
		}
		return state.used() > oldest.permits() && throttle.snapshot(Integer.MAX_VALUE)
			.holders()
			.stream()
			.anyMatch((holder) -> holder.key().equals(held.key()) && holder.owner().equals(held.owner()));
	}

	/** Returns whether permits stay with their owner after a successful call. */
	boolean keeps() {
		return this.kept;
	}

	@Override
	public String toString() {
		return this.limits.stream().map(MethodLimit::resource).collect(Collectors.joining("', '", "'", "'"));
	}

}
