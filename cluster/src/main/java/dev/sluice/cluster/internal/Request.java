package dev.sluice.cluster.internal;

import java.util.Locale;
import java.util.Map;

import dev.sluice.cluster.SessionQuery;
import org.jspecify.annotations.Nullable;

/**
 * Request of a node for sessions of others.
 *
 * @param origin the node
 * @param number its number for this
 * @param action the requested action
 * @param query with which sessions
 * @param content the message, text or Base64, or the reason for closing
 * @param binary whether the content is Base64
 * @param type the type of a message that was written as JSON
 * @param code the code of closing
 * @param headers the headers that the node's observation propagates
 */
record Request(String origin, long number, Action action, SessionQuery query, @Nullable String content, boolean binary,
		@Nullable String type, int code, Map<String, String> headers) {

	/** Action on sessions. */
	enum Action {

		FIND, SEND, POST, CLOSE;

		private final String text = name().toLowerCase(Locale.ROOT);

		/** Returns the name of the action in observations. */
		String text() {
			return this.text;
		}

	}

}
