package dev.sluice.websocket.endpoint;

/**
 * Extension of endpoints by what the sessions of one connection lack: topics that
 * sessions join, and sessions that resume.
 */
public interface EndpointExtension {

	/**
	 * Creates the lifecycle of the sessions of an endpoint that has topics or is
	 * resumable.
	 * @throws dev.sluice.websocket.InvalidEndpointException if its class cannot work
	 */
	SessionLifecycle extend(ExtendedEndpoint endpoint);

	/**
	 * Starts the lifecycles. Called once, when all singletons of the context exist.
	 * @throws dev.sluice.websocket.InvalidEndpointException if an endpoint needs what the
	 * application does not have
	 */
	void start();

}
