package dev.sluice.redis.rate;

import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls of a rate limit without a reply on this node, by key. */
final class UnansweredCalls {

	/*
	 * Redis records granted calls, so that a call whose reply is lost can be undone. With
	 * the next call of a node it discards that node's calls except those named here. A
	 * call is named from before it is sent until its reply is received or it is undone.
	 *
	 * The name of a call is the node's name of four characters and a number of two. It is
	 * short, as each key stores one, and a number needs to be unique only among
	 * unanswered calls.
	 *
	 * The names of a key change in one step of the map. Attacked by UnansweredCallsTests
	 * and RedisLostAnswerTests.
	 */

	private static final int RADIX = 62;

	private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

	private final String node = digits(new SecureRandom().nextInt(RADIX * RADIX * RADIX * RADIX), 4);

	private final AtomicInteger numbers = new AtomicInteger();

	/** The names of calls, separated by spaces. */
	private final Map<String, String> unanswered = new ConcurrentHashMap<>();

	private static String digits(int number, int length) {
		StringBuilder digits = new StringBuilder(length);
		for (int rest = number; digits.length() < length; rest /= RADIX) {
			digits.append(DIGITS.charAt(rest % RADIX));
		}
		return digits.toString();
	}

	/** Returns the name of a new call. */
	String next() {
		return this.node + digits(this.numbers.getAndUpdate((number) -> (number + 1) % (RADIX * RADIX)), 2);
	}

	/**
	 * Adds a call that is about to be sent.
	 * @return all unanswered calls of the key
	 */
	String begin(String key, String call) {
		return this.unanswered.merge(key, call, (known, added) -> known + ' ' + added);
	}

	void end(String key, String call) {
		this.unanswered.computeIfPresent(key, (name, calls) -> calls.equals(call) ? null : without(calls, call));
	}

	private static String without(String calls, String call) {
		return calls.startsWith(call) ? calls.substring(call.length() + 1) : calls.replace(' ' + call, "");
	}

}
