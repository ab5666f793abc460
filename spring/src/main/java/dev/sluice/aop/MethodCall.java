package dev.sluice.aop;

import java.util.List;
import java.util.function.Supplier;

import dev.sluice.annotation.Action;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/** A call of a limited method, as its annotations say. */
final class MethodCall extends GatedCall {

	private final ThrottledMethod method;

	private final CallContext context;

	private final @Nullable Object target;

	private final Body body;

	private final Supplier<@Nullable Object> empty;

	private final @Nullable Admission admission;

	private final List<Runnable> releases;

	/**
	 * Creates the call.
	 * @param admission what the limits answered already, or {@code null} to ask them
	 */
	MethodCall(ThrottledMethod method, CallContext context, Entrance entrance, @Nullable Object target, Body body,
			Supplier<@Nullable Object> empty, @Nullable Admission admission) {
		super(entrance);
		this.method = method;
		this.context = context;
		this.target = target;
		this.body = body;
		this.empty = empty;
		this.admission = admission;
		this.releases = method.releases(context);
	}

	@Override
	boolean waits() {
		return this.admission == null && this.method.waits();
	}

	@Override
	Permit enter() {
		return (this.admission != null) ? this.admission.enter() : super.enter();
	}

	@Override
	void requireHeld() {
		this.method.requireHeld(this.context);
	}

	@Override
	AcquireRequest[] requests() {
		return this.method.requests(this.context);
	}

	@Override
	@Nullable Object callBody() throws Throwable {
		return this.body.run();
	}

	@Override
	void end(Permit permit, boolean failed) {
		if (failed || !this.method.keeps()) {
			permit.close();
		}
		this.releases.forEach(Runnable::run);
	}

	@Override
	@Nullable Object refuse(ThrottledException refusal) throws Throwable {
		Fallback fallback = this.method.policy().fallback();
		if (fallback != null) {
			return fallback.call(this.target, this.context.arguments(), refusal);
		}
		if (this.method.policy().action() == Action.DROP) {
			return this.empty.get();
		}
		if (this.admission != null) {
			this.admission.refused(refusal);
		}
		throw refusal;
	}

	@Override
	public String toString() {
		return this.method.toString();
	}

}
