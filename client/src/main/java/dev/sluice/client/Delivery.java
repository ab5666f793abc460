package dev.sluice.client;

/**
 * Moment at which the position of a message is stored, which decides what a client that
 * was started again gets once more. Within one client no message is handled twice.
 *
 * @since 0.1.0
 */
public enum Delivery {

	/**
	 * Stored when the listener has handled the message. A message that was being handled
	 * when the process ended is handled again.
	 */
	AT_LEAST_ONCE,

	/**
	 * Stored before the listener is called. A message that was being handled when the
	 * process ended does not come again.
	 */
	AT_MOST_ONCE

}
