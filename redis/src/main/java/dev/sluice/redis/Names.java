package dev.sluice.redis;

import java.security.SecureRandom;

/**
 * What everything is called in Redis. The parts of one key of a limit have the same hash
 * tag, and so are in the same slot of a cluster: <pre>
 * sluice:{commands:tenant-7}         what was used or is held
 * sluice:{commands:tenant-7}:line    who waits
 * sluice:{commands:tenant-7}:nodes   until when the nodes that wait are believed alive
 * sluice:limit:commands              the limit and its options
 * sluice:counts:commands             admitted and rejected
 * sluice:limits                      channel: names of limits that have changed
 * sluice:node:x4k2m9qa               channel: state keys a node should look at
 * sluice:grants:x4k2m9qa            channel: grants to those who wait at a node
 * </pre> In names and keys {@code % { }} are written as {@code %25 %7B %7D}, and in names
 * {@code :} as {@code %3A}.
 */
final class Names {

	private final String prefix;

	Names(String prefix) {
		this.prefix = prefix;
	}

	/** Returns the keys that scripts are given. */
	String[] keysOf(String resource, String key) {
		String state = state(resource, key);
		return new String[] { state, state + ":line", state + ":nodes" };
	}

	String state(String resource, String key) {
		return start(resource) + escape(key) + '}';
	}

	private String start(String resource) {
		return this.prefix + '{' + escape(resource).replace(":", "%3A") + ':';
	}

	/** Returns the pattern of all states of a limit. */
	String states(String resource) {
		return literally(start(resource)) + "*}";
	}

	/** Returns the pattern of all there is of the keys of a limit. */
	String all(String resource) {
		return literally(start(resource)) + '*';
	}

	private static String literally(String text) {
		return text.replaceAll("[\\\\*?\\[\\]^]", "\\\\$0");
	}

	/** Returns the limit that a state belongs to. */
	String resourceOf(String state) {
		int start = this.prefix.length() + 1;
		return unescape(state.substring(start, state.indexOf(':', start)).replace("%3A", ":"));
	}

	/** Returns the key that a state belongs to. */
	String keyOf(String resource, String state) {
		return unescape(state.substring(start(resource).length(), state.length() - 1));
	}

	private static String unescape(String text) {
		return text.replace("%7B", "{").replace("%7D", "}").replace("%25", "%");
	}

	private static String escape(String text) {
		return text.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
	}

	String limit(String resource) {
		return this.prefix + "limit:" + resource;
	}

	String counts(String resource) {
		return this.prefix + "counts:" + resource;
	}

	String limitsChannel() {
		return this.prefix + "limits";
	}

	String nodeChannel(String node) {
		return this.prefix + "node:" + node;
	}

	String grantsChannel(String node) {
		return this.prefix + "grants:" + node;
	}

	/** Returns a name for this node that no other has. */
	static String newNode() {
		return Long.toString(new SecureRandom().nextLong() >>> 24, Character.MAX_RADIX);
	}

}
