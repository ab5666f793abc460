package dev.sluice.websocket;

/**
 * Tells that a {@link WebSocketEndpoint} class cannot be followed.
 *
 * @since 0.1.0
 */
public class InvalidEndpointException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param sessionType the class
	 * @param reason what is wrong with it
	 */
	public InvalidEndpointException(Class<?> sessionType, String reason) {
		super("Endpoint " + sessionType.getName() + " is invalid. " + reason);
	}

}
