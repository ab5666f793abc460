package dev.sluice.actuate.endpoint;

import org.jspecify.annotations.Nullable;

/** Tells that a request to change something was refused, and nothing was changed. */
final class RefusedRequestException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int status;

	private final @Nullable String field;

	private RefusedRequestException(int status, @Nullable String field, String detail, @Nullable Throwable cause) {
		super(detail, cause);
		this.status = status;
		this.field = field;
	}

	/** A field is missing, misspelt or out of its range. */
	static RefusedRequestException badField(String field, String detail) {
		return new RefusedRequestException(400, field, detail, null);
	}

	/** A field does not fit what is to be changed. */
	static RefusedRequestException badField(String field, IllegalArgumentException cause) {
		return new RefusedRequestException(400, field, String.valueOf(cause.getMessage()), cause);
	}

	/** None of the fields that there could be was given. */
	static RefusedRequestException noField(String detail) {
		return new RefusedRequestException(400, null, detail, null);
	}

	static RefusedRequestException notFound(String detail) {
		return new RefusedRequestException(404, null, detail, null);
	}

	/** What is there can only be looked at, or only be changed in another way. */
	static RefusedRequestException notAllowed(String detail) {
		return new RefusedRequestException(405, null, detail, null);
	}

	/** The field tells of a state that is no more. */
	static RefusedRequestException conflict(String field, String detail) {
		return new RefusedRequestException(409, field, detail, null);
	}

	Problem problem() {
		return new Problem(this.status, this.field, String.valueOf(getMessage()));
	}

}
