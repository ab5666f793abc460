package dev.sluice.aop;

import java.util.Arrays;
import java.util.stream.Collectors;

import dev.sluice.aop.call.Body;
import dev.sluice.aop.call.Entrance;
import dev.sluice.aop.call.GatedCall;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/** A call by way of the {@link ThrottlingTemplate}. */
final class TemplateCall extends GatedCall {

	private final AcquireRequest[] requests;

	private final Body body;

	private final Rejection rejection;

	TemplateCall(Entrance entrance, AcquireRequest[] requests, Body body, Rejection rejection) {
		super(entrance);
		if (requests.length == 0) {
			throw new IllegalArgumentException("'requests' must not be empty");
		}
		this.requests = requests.clone();
		this.body = body;
		this.rejection = rejection;
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
	public void end(Permit permit, boolean failed) {
		permit.close();
	}

	@Override
	public @Nullable Object refuse(ThrottledException refusal) throws Throwable {
		return this.rejection.answer(refusal);
	}

	@Override
	public String toString() {
		return Arrays.stream(this.requests).map(AcquireRequest::resource).collect(Collectors.joining("', '", "'", "'"));
	}

}
