package dev.sluice.aop.internal.method;

import java.util.Map;
import java.util.function.Supplier;

import dev.sluice.annotation.Action;
import dev.sluice.aop.internal.call.CallBody;
import dev.sluice.aop.internal.call.CallRetryPolicy;
import dev.sluice.aop.internal.call.GatedCall;
import dev.sluice.aop.internal.call.PermitGate;
import dev.sluice.internal.HeldResources;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/** A call of a limited method, as its annotations specify. */
public class MethodCall extends GatedCall {

	private final ThrottledMethod method;

	private final CallContext context;

	private final @Nullable Object target;

	private final CallBody body;

	private final Supplier<@Nullable Object> empty;

	/**
	 * Creates the call.
	 * @param variables the variables of expressions in addition to the arguments
	 * @param empty supplies the result of a call that is skipped
	 */
	public MethodCall(ThrottledMethod method, PermitGate permits, @Nullable Object target, @Nullable Object[] arguments,
			Map<String, ? extends @Nullable Object> variables, CallBody body, Supplier<@Nullable Object> empty) {
		super(permits);
		this.method = method;
		this.context = method.context(arguments, variables);
		this.target = target;
		this.body = body;
		this.empty = empty;
	}

	@Override
	public boolean waits() {
		return this.method.waits();
	}

	@Override
	protected @Nullable CallRetryPolicy retry() {
		return this.method.policy().retry();
	}

	@Override
	protected void requireHeld() {
		this.method.requireHeld(this.context);
	}

	@Override
	protected AcquireRequest[] requests() {
		return this.method.requests(this.context);
	}

	@Override
	protected @Nullable Object callBody() throws Throwable {
		return this.body.run();
	}

	@Override
	protected void addReleases(HeldResources resources) {
		this.method.addReleases(this.context, resources);
	}

	@Override
	protected void release(Permit permit, boolean failed) {
		if (failed || !this.method.keeps()) {
			permit.close();
		}
	}

	@Override
	public @Nullable Object reject(ThrottledException rejection) throws Throwable {
		Fallback fallback = this.method.policy().fallback();
		if (fallback != null) {
			return fallback.call(this.target, this.context.arguments(), rejection);
		}
		if (this.method.policy().action() == Action.DROP) {
			return this.empty.get();
		}
		rejected(rejection);
		throw rejection;
	}

	/** Called when a rejected call has no substitute for its result. */
	protected void rejected(ThrottledException rejection) {
	}

	@Override
	public String toString() {
		return this.method.toString();
	}

}
