package dev.sluice.websocket;

/**
 * Thrown when a client's message cannot be handled as it is.
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
	 * @return {@code unreadable} if the message has not the form of its type, or none at
	 * all; {@code unknown-type} if no method handles its type; {@code invalid} if it is
	 * against the rules of its type
	 */
	public String reason() {
		return this.reason;
	}

	/** A client's fault, not the application's: where it was found does not matter. */
	@Override
	public Throwable fillInStackTrace() {
		return this;
	}

}
