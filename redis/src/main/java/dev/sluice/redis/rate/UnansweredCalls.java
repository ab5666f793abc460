package dev.sluice.redis.rate;

import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

	private final Map<String, Set<String>> unheard = new ConcurrentHashMap<>();

	private static String digits(int number, int length) {
		StringBuilder digits = new StringBuilder(length);
		for (int rest = number; digits.length() < length; rest /= RADIX) {
			digits.append(DIGITS.charAt(rest % RADIX));
		}
		return digits.toString();
	}

	/** Names a call that is about to be sent. */
	String begin(String key) {
		String call = this.node + digits(this.numbers.getAndUpdate((number) -> (number + 1) % (RADIX * RADIX)), 2);
		this.unheard.compute(key, (name, known) -> {
			Set<String> calls = (known != null) ? known : new TreeSet<>();
			calls.add(call);
			return calls;
		});
		return call;
	}

	/** Returns all calls of a key without an answer. */
	String of(String key) {
		String[] names = new String[1];
		this.unheard.computeIfPresent(key, (name, calls) -> {
			names[0] = String.join(" ", calls);
			return calls;
		});
		return (names[0] != null) ? names[0] : "";
	}

	void end(String key, String call) {
		this.unheard.computeIfPresent(key, (name, calls) -> {
			calls.remove(call);
			return calls.isEmpty() ? null : calls;
		});
	}

}
