package dev.sluice.internal;

import java.security.Principal;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Names of clients. The application implements {@link Principal}, so that the name may be
 * {@code null}, and the call may throw.
 */
public final class ClientNames {

	private static final Pattern LINE_BREAKS = Pattern.compile("[\\p{Cc}\\u2028\\u2029]");

	private static final ExtensionPoint NAMES = new ExtensionPoint("Principal", "the client has no name");

	/** Compared by identity. */
	private static final String NONE = new String("none");

	private ClientNames() {
	}

	/**
	 * Returns the name of a principal, for a query or a description.
	 * @return the name, or {@code null} if there is no principal, or none with a name
	 */
	public static @Nullable String find(@Nullable Principal principal) {
		String name = (principal != null) ? NAMES.get(principal, principal::getName, NONE) : NONE;
		return (name != NONE) ? name : null;
	}

	/**
	 * Returns a text of a client for the log, without characters that end a line.
	 * @return the text, with a question mark for each control and line separator
	 */
	public static String printable(String text) {
		return LINE_BREAKS.matcher(text).replaceAll("?");
	}

	/**
	 * Returns the name by which a principal is counted or owns a session.
	 * @throws IllegalStateException if it has none
	 */
	public static String require(Principal principal) {
		return NAMES.require(principal, principal::getName);
	}

}
