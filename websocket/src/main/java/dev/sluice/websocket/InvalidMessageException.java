package dev.sluice.websocket;

/**
 * Thrown when a client's message is invalid.
 *
 * @since 0.1.0
 */
public class InvalidMessageException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String reason;

	/**
	 * Creates the exception.
	 * @param reason {@code unreadable}, {@code unknown-type} or {@code invalid}
	 * @param detail description of the error, which the client may receive
	 */
	public InvalidMessageException(String reason, String detail) {
		super(detail);
		this.reason = reason;
	}

	/**
	 * Returns the kind of error.
	 * @return {@code unreadable} if the message does not have the form of its type, or
	 * any valid form; {@code unknown-type} if no method handles its type; {@code invalid}
	 * if it violates the constraints of its type
	 */
	public String reason() {
		return this.reason;
	}

	/** An error of the client, not of the application: the stack trace is irrelevant. */
	@Override
	public Throwable fillInStackTrace() {
		return this;
	}

}
