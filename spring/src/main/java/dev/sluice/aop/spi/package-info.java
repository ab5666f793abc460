/**
 * Collaborators of the gate that an application, an auto-configuration or a dispatcher
 * provides: the default policy, the bound for blocked threads, an observer of the line, a
 * follower of deferred results, and the methods that a dispatcher calls itself.
 * <p>
 * Uses limits and annotations only. Start at {@link dev.sluice.aop.spi.ThrottlePolicy}.
 */
@NullMarked
package dev.sluice.aop.spi;

import org.jspecify.annotations.NullMarked;
