package dev.sluice.actuate.endpoint;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Thrown when a requested change is rejected; nothing is changed. */
final class RejectedRequestException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int status;

	private final @Nullable String field;

	private RejectedRequestException(int status, @Nullable String field, String detail, @Nullable Throwable cause) {
		super(detail, cause);
		this.status = status;
		this.field = field;
	}

	/** A field is missing, misspelt or out of its range. */
	static RejectedRequestException badField(String field, String detail) {
		return new RejectedRequestException(400, field, detail, null);
	}

	/** The field is not valid for the requested change. */
	static RejectedRequestException badField(String field, IllegalArgumentException cause) {
		return new RejectedRequestException(400, field, String.valueOf(cause.getMessage()), cause);
	}

	/** The request contains none of the supported fields. */
	static RejectedRequestException noField(String detail) {
		return new RejectedRequestException(400, null, detail, null);
	}

	static RejectedRequestException notFound(String detail) {
		return new RejectedRequestException(404, null, detail, null);
	}

	/** The item is read-only, or another operation changes it. */
	static RejectedRequestException notAllowed(String detail) {
		return new RejectedRequestException(405, null, detail, null);
	}

	/** The field refers to a state that has changed since. */
	static RejectedRequestException conflict(String field, String detail) {
		return new RejectedRequestException(409, field, detail, null);
	}

	WebEndpointResponse<Object> response() {
		return new WebEndpointResponse<>(new Problem(this.status, this.field, String.valueOf(getMessage())),
				this.status);
	}

}
