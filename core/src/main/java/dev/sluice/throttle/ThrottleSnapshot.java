package dev.sluice.throttle;

import java.util.List;

/**
 * State of one throttle at one instant; values may be stale when read.
 *
 * @param resource the throttle's name
 * @param limit its limit
 * @param options its options
 * @param version the version, which is 1 at the definition and increases with each change
 * @param admitted the permits granted since the definition
 * @param rejected the calls rejected since the definition; in a dry run, the calls that
 * would have been rejected
 * @param waiting the calls in line
 * @param keys the number of keys
 * @param held the permits held; 0 for a rate limit
 * @param hottest the keys with the highest usage, in descending order
 * @param holders the owners that have held permits longest, oldest first; empty for a
 * rate limit
 * @since 0.1.0
 */
public record ThrottleSnapshot(String resource, Limit limit, LimitOptions options, long version, long admitted,
		long rejected, long waiting, int keys, long held, List<KeyState> hottest, List<Holder> holders) {

	public ThrottleSnapshot {
		hottest = List.copyOf(hottest);
		holders = List.copyOf(holders);
	}

}
