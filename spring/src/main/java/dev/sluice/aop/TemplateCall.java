package dev.sluice.aop;

import java.util.Arrays;
import java.util.stream.Collectors;

import dev.sluice.aop.internal.call.CallBody;
import dev.sluice.aop.internal.call.GatedCall;
import dev.sluice.aop.internal.call.PermitGate;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/** A call through the {@link ThrottlingTemplate}. */
final class TemplateCall extends GatedCall {

	private final AcquireRequest[] requests;

	private final CallBody body;

	private final Rejection rejection;

	private final boolean untilCompletion;

	TemplateCall(PermitGate permits, AcquireRequest[] requests, CallBody body, Rejection rejection,
			boolean untilCompletion) {
		super(permits);
		if (requests.length == 0) {
			throw new IllegalArgumentException("'requests' must not be empty");
		}
		this.requests = requests.clone();
		this.body = body;
		this.rejection = rejection;
		this.untilCompletion = untilCompletion;
	}

	@Override
	public boolean waits() {
		return Arrays.stream(this.requests).anyMatch((request) -> !request.maxWait().isZero());
	}

	@Override
	protected AcquireRequest[] requests() {
		return this.requests;
	}

	@Override
	protected @Nullable Object callBody() throws Throwable {
		return this.body.run();
	}

	@Override
	protected void release(Permit permit, boolean failed) {
		if (this.untilCompletion) {
			TransactionRelease.release(permit);
		}
		else {
			permit.close();
		}
	}

	@Override
	public @Nullable Object reject(ThrottledException rejection) throws Throwable {
		return this.rejection.answer(rejection);
	}

	@Override
	public String toString() {
		return Arrays.stream(this.requests).map(AcquireRequest::resource).collect(Collectors.joining("', '", "'", "'"));
	}

}
