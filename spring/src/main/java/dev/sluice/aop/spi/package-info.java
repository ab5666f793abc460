/**
 * Collaborators that an application, an auto-configuration or a dispatcher gives to the
 * gate: the policy where annotations are silent, the bound over threads that block, an
 * observer of the line, what follows results of its own, and methods that it calls
 * itself.
 * <p>
 * Uses limits and annotations only. Start at {@link dev.sluice.aop.spi.ThrottlePolicy}.
 */
@NullMarked
package dev.sluice.aop.spi;

import org.jspecify.annotations.NullMarked;
