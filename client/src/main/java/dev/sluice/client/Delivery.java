package dev.sluice.client;

/**
 * Moment at which the position of a message is stored. It decides which messages a
 * restarted client receives again. A running client never handles a message twice.
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
