package dev.sluice.throttle;

import java.util.List;

/**
 * State of one throttle at one instant; values may be stale when read.
 *
 * @param resource the throttle's name
 * @param limit its limit
 * @param options its options
 * @param version 1 when defined, and one more with each change
 * @param admitted permits granted since it was defined
 * @param rejected calls rejected since then; in a dry run those that would have been
 * @param waiting calls in line
 * @param keys keys remembered
 * @param held permits held; 0 for a rate
 * @param hottest the keys with most in use, most first
 * @param holders the holders of longest standing, oldest first; empty for a rate
 * @since 0.1.0
 */
public record ThrottleSnapshot(String resource, Limit limit, LimitOptions options, long version, long admitted,
		long rejected, long waiting, int keys, long held, List<KeyState> hottest, List<Holder> holders) {

	public ThrottleSnapshot {
		hottest = List.copyOf(hottest);
		holders = List.copyOf(holders);
	}

}
