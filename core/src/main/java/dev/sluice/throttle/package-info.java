/**
 * Limits, permits and waiting lines. Start at
 * {@link dev.sluice.throttle.ThrottlingManager}. This package is the API; the SPI of
 * stores is in {@code store}, and the package documentation of {@code internal} lists the
 * parts of the implementation.
 * <p>
 * Guarantees, and the tests of each:
 * <ol>
 * <li>Each {@link dev.sluice.throttle.Limit} holds under any number of threads, and its
 * counts are exact: RateOracleTests and DynamicWindowTests (naive models),
 * ConcurrentGrantTests, GrantHistoryTests, RateCellLincheckTests, HeldLincheckTests.</li>
 * <li>Rate limit decisions never park and allocate no objects: AllocationTests.</li>
 * <li>Time is monotonic and may overflow: SystemNanoClockTests, RateOracleTests,
 * RateLimitTests, LineTests (a clock just below its overflow).</li>
 * <li>{@code retryAfter} is exact to the nanosecond, also for several permits and with a
 * waiting line; impossible requests are rejected: RateOracleTests, SlidingLogTests,
 * RateLimitTests, DynamicWindowTests, LineTests.</li>
 * <li>{@code acquire} waits in a bounded line, first come, first served, without blocking
 * a thread; fails immediately if the wait would be too long; holds no permits after its
 * cancellation or time-out; and a release wakes the next waiter without recursion:
 * LineTests, SeveralLimitsTests, JointWaitTests, CompletionsTests, RefundTests.</li>
 * <li>A limit may change while it is in use and keeps its recorded usage; permits of
 * several limits are acquired all or none: ChangeTests, DynamicWindowTests,
 * SeveralLimitsTests, StoredThrottleTests.</li>
 * <li>A permit belongs to its owner, closes once, and may be released elsewhere:
 * HeldTests, LineTests.</li>
 * <li>The number of keys is bounded; idle keys are evicted and busy keys never are:
 * KeyTests.</li>
 * </ol>
 * The contract in {@code sluice-test} tests the same guarantees for each
 * {@link dev.sluice.throttle.store.ThrottleStore}, including the store in memory.
 */
@NullMarked
package dev.sluice.throttle;

import org.jspecify.annotations.NullMarked;
