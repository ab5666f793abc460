package dev.sluice.aop;

import java.util.function.Supplier;

import dev.sluice.aop.call.Body;
import dev.sluice.aop.call.Entrance;
import dev.sluice.aop.method.MethodCall;
import dev.sluice.aop.method.ThrottledMethod;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/** A call of a limited method whose limits have answered before it came. */
final class AdmittedCall extends MethodCall {

	private final Admission admission;

	AdmittedCall(ThrottledMethod method, Entrance entrance, @Nullable Object target, @Nullable Object[] arguments,
			Body body, Supplier<@Nullable Object> empty, Admission admission) {
		super(method, entrance, target, arguments, admission.variables(), body, empty);
		this.admission = admission;
	}

	@Override
	public boolean waits() {
		return false;
	}

	@Override
	protected Permit enter() {
		return this.admission.enter();
	}

	@Override
	protected void rejected(ThrottledException rejection) {
		this.admission.refused(rejection);
	}

}
