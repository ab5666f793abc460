package dev.sluice.redis.connection;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names of keys and channels in Redis. The entries of one key of a limit have the same
 * hash tag, and so are in the same slot of a cluster. All keys of a dynamic window share
 * a hash tag: <pre>
 * sluice:{commands:tenant-7} permits used or held
 * sluice:{commands:tenant-7}:line waiting line
 * sluice:{commands:tenant-7}:nodes waiting nodes and the ends of their leases
 * sluice:{commands:tenant-7}:calls calls granted recently by a sliding log
 * sluice:{order:17}:owners places of owners in the waiting line of a mutex or semaphore
 * sluice:{tenants}{tenant-7}         permits used by a key of a dynamic window; also
 * :line and :nodes
 * sluice:{tenants}                   permits used by all its keys
 * sluice:{tenants}:since             its active keys, in the order in which they became
 * active
 * sluice:{tenants}:ends end of the activity of each
 * sluice:{tenants}:nodes             nodes that wait for any of its keys
 * sluice:limit:commands              limit and its options
 * sluice:counts:commands             numbers of calls admitted and rejected
 * sluice:nodes                       live nodes and the ends of their leases
 * sluice:limits                      channel: names of limits that have changed
 * sluice:node:x4k2m9qa               channel: state keys that a node should check
 * sluice:grants:x4k2m9qa            channel: grants to waiters of a node
 * </pre> In names, keys and owners {@code % { }} are written as {@code %25 %7B %7D}, in
 * names {@code :} as {@code %3A}, and an unpaired surrogate, which UTF-8 cannot encode,
 * as {@code %uD83D}.
 */
public final class KeyNames {

	private static final Pattern UNPAIRED = Pattern.compile("%u(\\p{XDigit}{4})");

	private final String prefix;

	public KeyNames(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Checks a prefix of names and returns it.
	 * @throws IllegalArgumentException if it is blank, as keys of other programs would be
	 * taken for ours, or contains a brace, as those mark the slot
	 */
	public static String checkPrefix(String keyPrefix) {
		if (keyPrefix.isBlank()) {
			throw new IllegalArgumentException(
					"'keyPrefix' must not be empty, as keys of other programs would be deleted");
		}
		if (keyPrefix.contains("{") || keyPrefix.contains("}")) {
			throw new IllegalArgumentException("'keyPrefix' must not contain braces: " + keyPrefix);
		}
		return keyPrefix;
	}

	/** Returns the keys that scripts use. */
	public String[] keysOf(String resource, String key) {
		String state = state(resource, key);
		return new String[] { state, state + ":line", state + ":nodes" };
	}

	/** Returns the keys that the script uses for a key of a mutex or semaphore. */
	public String[] holdingKeysOf(String resource, String key) {
		String state = state(resource, key);
		return new String[] { state, state + ":line", state + ":nodes", state + ":owners" };
	}

	/** Returns the keys that scripts use for a key of a sliding log. */
	public String[] loggingKeysOf(String resource, String key) {
		String state = state(resource, key);
		return new String[] { state, state + ":line", state + ":nodes", state + ":calls" };
	}

	/** Returns the keys that scripts use for a key of a dynamic window. */
	public String[] sharingKeysOf(String resource, String key) {
		String state = sharingStart(resource) + escape(key) + '}';
		return Stream.concat(Stream.of(state, state + ":line", state + ":nodes"), Stream.of(sharedKeys(resource)))
			.toArray(String[]::new);
	}

	/** Returns the entries that the keys of a dynamic window share. */
	public String[] sharedKeys(String resource) {
		String shared = shared(resource);
		return new String[] { shared, shared + ":since", shared + ":ends", waiting(resource) };
	}

	/** Returns the key for the nodes that wait for any key of a dynamic window. */
	public String waiting(String resource) {
		return shared(resource) + ":nodes";
	}

	String state(String resource, String key) {
		return start(resource) + escape(key) + '}';
	}

	private String open(String resource) {
		return this.prefix + '{' + escape(resource).replace(":", "%3A");
	}

	private String start(String resource) {
		return open(resource) + ':';
	}

	private String sharingStart(String resource) {
		return open(resource) + "}{";
	}

	/** Returns the key for the permits used by all keys of a dynamic window. */
	public String shared(String resource) {
		return open(resource) + '}';
	}

	/** Returns the pattern of all entries of the keys of a limit. */
	public String all(String resource) {
		return literally(start(resource)) + '*';
	}

	/** Returns the pattern of all entries of the keys of a dynamic window. */
	public String allSharing(String resource) {
		return literally(sharingStart(resource)) + '*';
	}

	/** Returns the pattern of all entries of a dynamic window. */
	public String everythingShared(String resource) {
		return literally(shared(resource)) + '*';
	}

	/** Returns the pattern of all states of a limit. */
	public String states(String resource) {
		return all(resource) + '}';
	}

	/** Returns the pattern of all states of a dynamic window. */
	public String sharingStates(String resource) {
		return allSharing(resource) + '}';
	}

	private static String literally(String text) {
		return text.replaceAll("[\\\\*?\\[\\]^]", "\\\\$0");
	}

	/** Returns the limit of a state. */
	public String resourceOf(String state) {
		int start = this.prefix.length() + 1;
		int end = start;
		while (state.charAt(end) != ':' && state.charAt(end) != '}') {
			end++;
		}
		return unescape(state.substring(start, end).replace("%3A", ":"));
	}

	/** Returns the state at the start of a text. */
	public static String stateIn(String text) {
		return text.substring(0, text.indexOf('}') + 1);
	}

	/** Returns the key of a state or of one of its entries. */
	public String keyOf(String resource, String state) {
		int open = open(resource).length();
		int start = open + ((state.charAt(open) == ':') ? 1 : 2);
		return unescape(state.substring(start, state.lastIndexOf('}')));
	}

	/** Escapes a text for keys, members and messages. */
	public static String escape(String text) {
		if (isPlain(text)) {
			return text;
		}
		StringBuilder escaped = new StringBuilder(text.length() + 8);
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			switch (character) {
				case '%' -> escaped.append("%25");
				case '{' -> escaped.append("%7B");
				case '}' -> escaped.append("%7D");
				default -> {
					if (isUnpaired(text, i)) {
						escaped.append("%u").append(HexFormat.of().withUpperCase().toHexDigits(character));
					}
					else {
						escaped.append(character);
					}
				}
			}
		}
		return escaped.toString();
	}

	private static boolean isPlain(String text) {
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			if (character == '%' || character == '{' || character == '}' || Character.isSurrogate(character)) {
				return false;
			}
		}
		return true;
	}

	private static boolean isUnpaired(String text, int index) {
		char character = text.charAt(index);
		if (Character.isHighSurrogate(character)) {
			return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
		}
		return Character.isLowSurrogate(character)
				&& (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
	}

	/** Returns the text for its escaped form. */
	public static String unescape(String escaped) {
		String text = escaped.replace("%7B", "{").replace("%7D", "}");
		if (text.contains("%u")) {
			text = UNPAIRED.matcher(text)
				.replaceAll((found) -> Character.toString((char) HexFormat.fromHexDigits(found.group(1))));
		}
		return text.replace("%25", "%");
	}

	public String limit(String resource) {
		return this.prefix + "limit:" + escape(resource);
	}

	public String counts(String resource) {
		return this.prefix + "counts:" + escape(resource);
	}

	String nodes() {
		return this.prefix + "nodes";
	}

	public String limitsChannel() {
		return this.prefix + "limits";
	}

	public String nodeChannel(String node) {
		return this.prefix + "node:" + node;
	}

	public String grantsChannel(String node) {
		return this.prefix + "grants:" + node;
	}

	/** Returns a unique name for this node. */
	public static String newNode() {
		return Long.toString(new SecureRandom().nextLong() >>> 24, Character.MAX_RADIX);
	}

}
