package dev.sluice.redis.connection;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names of keys and channels in Redis. The parts of one key of a limit have the same hash
 * tag, and so are in the same slot of a cluster; all keys of a dynamic window have one:
 * <pre>
 * sluice:{commands:tenant-7}         what was used or is held
 * sluice:{commands:tenant-7}:line    who waits
 * sluice:{commands:tenant-7}:nodes   until when the nodes that wait are believed alive
 * sluice:{commands:tenant-7}:calls   who was granted something of a sliding log of late
 * sluice:{order:17}:owners           where owners wait for a mutex or semaphore
 * sluice:{tenants}{tenant-7}         what was used by a key of a dynamic window; :line and :nodes, too
 * sluice:{tenants}                   what was used by all its keys
 * sluice:{tenants}:since             its active keys, in the order in which they became so
 * sluice:{tenants}:ends              until when each is
 * sluice:{tenants}:nodes             the nodes that wait for any of them
 * sluice:limit:commands              the limit and its options
 * sluice:counts:commands             admitted and rejected
 * sluice:nodes                       which nodes live, and until when
 * sluice:limits                      channel: names of limits that have changed
 * sluice:node:x4k2m9qa               channel: state keys a node should look at
 * sluice:grants:x4k2m9qa            channel: grants to those who wait at a node
 * </pre> In names, keys and owners {@code % { }} are written as {@code %25 %7B %7D}, in
 * names {@code :} as {@code %3A}, and half a surrogate pair, which UTF-8 has no bytes
 * for, as {@code %uD83D}.
 */
public final class KeyNames {

	private static final Pattern UNPAIRED = Pattern.compile("%u(\\p{XDigit}{4})");

	private final String prefix;

	public KeyNames(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Returns a prefix of names as it is.
	 * @throws IllegalArgumentException if it contains a brace, as those mark the slot
	 */
	public static String checkPrefix(String keyPrefix) {
		if (keyPrefix.contains("{") || keyPrefix.contains("}")) {
			throw new IllegalArgumentException("'keyPrefix' must not contain braces: " + keyPrefix);
		}
		return keyPrefix;
	}

	/** Returns the keys that scripts are given. */
	public String[] keysOf(String resource, String key) {
		String state = state(resource, key);
		return new String[] { state, state + ":line", state + ":nodes" };
	}

	/** Returns the keys that the script is given for a key of a mutex or semaphore. */
	public String[] holdingKeysOf(String resource, String key) {
		String state = state(resource, key);
		return new String[] { state, state + ":line", state + ":nodes", state + ":owners" };
	}

	/** Returns the keys that scripts are given for a key of a sliding log. */
	public String[] loggingKeysOf(String resource, String key) {
		String state = state(resource, key);
		return new String[] { state, state + ":line", state + ":nodes", state + ":calls" };
	}

	/** Returns the keys that scripts are given for a key of a dynamic window. */
	public String[] sharingKeysOf(String resource, String key) {
		String state = sharingStart(resource) + escape(key) + '}';
		return Stream.concat(Stream.of(state, state + ":line", state + ":nodes"), Stream.of(sharedKeys(resource)))
			.toArray(String[]::new);
	}

	/** Returns what the keys of a dynamic window share. */
	public String[] sharedKeys(String resource) {
		String shared = shared(resource);
		return new String[] { shared, shared + ":since", shared + ":ends", waiting(resource) };
	}

	/** Returns the nodes that wait for any key of a dynamic window. */
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

	/** Returns what all keys of a dynamic window have used together. */
	public String shared(String resource) {
		return open(resource) + '}';
	}

	/** Returns the pattern of all there is of the keys of a limit. */
	public String all(String resource) {
		return literally(start(resource)) + '*';
	}

	/** Returns the pattern of all there is of the keys of a dynamic window. */
	public String allSharing(String resource) {
		return literally(sharingStart(resource)) + '*';
	}

	/** Returns the pattern of all there is of a dynamic window. */
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

	/** Returns the limit that a state belongs to. */
	public String resourceOf(String state) {
		int start = this.prefix.length() + 1;
		int end = start;
		while (state.charAt(end) != ':' && state.charAt(end) != '}') {
			end++;
		}
		return unescape(state.substring(start, end).replace("%3A", ":"));
	}

	/** Returns the state that a text begins with. */
	public static String stateIn(String text) {
		return text.substring(0, text.indexOf('}') + 1);
	}

	/** Returns the key that a state, or a part of it, belongs to. */
	public String keyOf(String resource, String state) {
		int open = open(resource).length();
		int start = open + ((state.charAt(open) == ':') ? 1 : 2);
		return unescape(state.substring(start, state.lastIndexOf('}')));
	}

	/** Returns any text as it is written in keys, members and messages. */
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

	/** Returns the text that was written so. */
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

	/** Returns a name for this node that no other has. */
	public static String newNode() {
		return Long.toString(new SecureRandom().nextLong() >>> 24, Character.MAX_RADIX);
	}

}
