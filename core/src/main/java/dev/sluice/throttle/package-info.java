/**
 * Limits, permits and the line in front of them. Start at
 * {@link dev.sluice.throttle.ThrottlingManager}. This is the API; the SPI of stores is in
 * {@code store}, and {@code internal} tells in which of its packages each part of the
 * implementation is.
 * <p>
 * Promises, and the tests that fail when it is broken:
 * <ol>
 * <li>Each {@link dev.sluice.throttle.Limit} keeps its bound under any number of threads,
 * and loses no count: RateOracleTests and DynamicWindowTests (naive models),
 * ConcurrentGrantTests, GrantHistoryTests, RateCellLincheckTests, HeldLincheckTests.</li>
 * <li>Nothing parks on the path of rates, and nothing is allocated: AllocationTests.</li>
 * <li>Time is monotonic and may overflow: SystemNanoClockTests, RateOracleTests,
 * RateLimitTests, LineTests (a clock just below its overflow).</li>
 * <li>{@code retryAfter} is true to the nanosecond, for many permits and behind a line
 * too; what is impossible is rejected: RateOracleTests, SlidingLogTests, RateLimitTests,
 * DynamicWindowTests, LineTests.</li>
 * <li>{@code acquire} waits in a bounded line, first come first served, without a thread;
 * fails at once if the wait cannot suffice; holds nothing once it is cancelled or its
 * time is over; and a release wakes the next one without recursion: LineTests,
 * SeveralLimitsTests, JointWaitTests, CompletionsTests, RefundTests.</li>
 * <li>A limit may change while it is in use, and what was used stays used; permits of
 * several limits are acquired all or none: ChangeTests, DynamicWindowTests,
 * SeveralLimitsTests, StoredThrottleTests.</li>
 * <li>A permit belongs to its owner, closes once, and may be released elsewhere:
 * HeldTests, LineTests.</li>
 * <li>Keys are bounded; idle ones leave and busy ones never do: KeyTests.</li>
 * </ol>
 * All of them again, as any {@link dev.sluice.throttle.store.ThrottleStore} must keep
 * them: the contract in {@code sluice-test}, which is run over memory.
 */
@NullMarked
package dev.sluice.throttle;

import org.jspecify.annotations.NullMarked;
