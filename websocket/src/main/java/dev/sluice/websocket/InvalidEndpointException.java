package dev.sluice.websocket;

/**
 * Thrown when the application starts with a {@link WebSocketEndpoint} class that cannot
 * be served. The exception contains the remedy.
 *
 * @since 0.1.0
 */
public class InvalidEndpointException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String action;

	/**
	 * Creates the exception.
	 * @param sessionType the class
	 * @param reason the problem of the class
	 * @param action what to write instead
	 */
	public InvalidEndpointException(Class<?> sessionType, String reason, String action) {
		super("Endpoint " + sessionType.getName() + " is invalid. " + reason);
		this.action = action;
	}

	/**
	 * Returns the remedy.
	 * @return a sentence for the developer
	 */
	public String action() {
		return this.action;
	}

}
