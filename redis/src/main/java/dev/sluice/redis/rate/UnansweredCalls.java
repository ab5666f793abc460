package dev.sluice.redis.rate;

import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls of a rate limit that have no answer yet at this node, by key. */
final class UnansweredCalls {

	/*
	 * Redis notes the calls that it has granted something, so that those of which the
	 * answer is lost can be undone. It keeps of each node what is named here, when the
	 * next call comes. A call is named from before it is sent until its answer is here,
	 * or it has been undone.
	 *
	 * The name of a call is the node's, four characters, and a number, two: short, as
	 * each key holds one; a number need not come twice only among calls without answers.
	 */

	private static final int RADIX = 62;

	private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

	private final String node = digits(new SecureRandom().nextInt(RADIX * RADIX * RADIX * RADIX), 4);

	private final AtomicInteger numbers = new AtomicInteger();

	/** The names of calls, separated by spaces. */
	private final Map<String, String> unheard = new ConcurrentHashMap<>();

	private static String digits(int number, int length) {
		StringBuilder digits = new StringBuilder(length);
		for (int rest = number; digits.length() < length; rest /= RADIX) {
			digits.append(DIGITS.charAt(rest % RADIX));
		}
		return digits.toString();
	}

	/** Returns a name for a call. */
	String next() {
		return this.node + digits(this.numbers.getAndUpdate((number) -> (number + 1) % (RADIX * RADIX)), 2);
	}

	/**
	 * Adds a call that is about to be sent.
	 * @return all calls of the key without an answer
	 */
	String begin(String key, String call) {
		return this.unheard.merge(key, call, (known, added) -> known + ' ' + added);
	}

	void end(String key, String call) {
		this.unheard.computeIfPresent(key, (name, calls) -> calls.equals(call) ? null : without(calls, call));
	}

	private static String without(String calls, String call) {
		return calls.startsWith(call) ? calls.substring(call.length() + 1) : calls.replace(' ' + call, "");
	}

}
