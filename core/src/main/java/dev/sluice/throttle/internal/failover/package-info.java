/**
 * What the stores on servers share: calls while their server is unavailable, that is the
 * probe that finds out when it is available again, the fail-over policy of each limit,
 * and the share of a limit that this node grants in its own memory; and what a node has
 * of each limit whatever its server, the counts and the text of its terms.
 * <p>
 * Internal, and exported to those stores alone. Uses the API of limits and of stores.
 * Start at {@link dev.sluice.throttle.internal.failover.FailoverThrottle}, through which
 * every call goes, and at {@link dev.sluice.throttle.internal.failover.ServerThrottle},
 * which a store implements.
 */
@NullMarked
package dev.sluice.throttle.internal.failover;

import org.jspecify.annotations.NullMarked;
