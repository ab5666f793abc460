package dev.sluice.aop;

import java.util.function.Supplier;

import dev.sluice.aop.internal.call.CallBody;
import dev.sluice.aop.internal.call.CallRetryPolicy;
import dev.sluice.aop.internal.call.CallRun;
import dev.sluice.aop.internal.call.PermitGate;
import dev.sluice.aop.internal.method.MethodCall;
import dev.sluice.aop.internal.method.ThrottledMethod;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/** A call of a limited method that its limits have admitted before it is made. */
final class AdmittedCall extends MethodCall {

	private final Admission admission;

	AdmittedCall(ThrottledMethod method, PermitGate permits, @Nullable Object target, @Nullable Object[] arguments,
			CallBody body, Supplier<@Nullable Object> empty, Admission admission) {
		super(method, permits, target, arguments, admission.variables(), body, empty);
		this.admission = admission;
	}

	@Override
	public boolean waits() {
		return false;
	}

	@Override
	protected @Nullable CallRetryPolicy retry() {
		return null;
	}

	/** Continues the run that consulted the limits. */
	@Override
	public CallRun begin() {
		CallRun run = this.admission.run();
		return (run != null) ? run : super.begin();
	}

	@Override
	protected Permit enter() {
		Permit permit = this.admission.enter();
		holds(this.admission.asked());
		return permit;
	}

	@Override
	protected void rejected(ThrottledException rejection) {
		this.admission.rejected(rejection);
	}

}
