package dev.sluice.bus;

/**
 * State of the connection between a node and its cluster.
 *
 * @since 0.1.0
 */
public enum BusState {

	/** Calls are answered, and messages arrive. */
	UP,

	/** Calls are answered, but messages do not arrive. */
	SILENT,

	/** Calls are not answered. */
	UNAVAILABLE

}
