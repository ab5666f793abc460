/**
 * Common parts of the stores on servers. For calls while the server is unavailable: the
 * probe that detects when it is available again, the fail-over policy of each limit, and
 * the share of a limit that this node grants in its own memory. For each limit,
 * independent of the kind of server: the counts and the text of its terms.
 * <p>
 * Internal, and exported to these stores only. Uses the API of limits and of stores.
 * Start at {@link dev.sluice.throttle.internal.failover.FailoverThrottle}, the entry of
 * each call, and at {@link dev.sluice.throttle.internal.failover.ServerThrottle}, which a
 * store implements.
 */
@NullMarked
package dev.sluice.throttle.internal.failover;

import org.jspecify.annotations.NullMarked;
