/**
 * Lifecycle of what has work left when the application stops: sessions, their journal,
 * and batches. Internal.
 * <p>
 * Knows none of them. Start at {@link dev.sluice.lifecycle.DrainedLifecycle}.
 */
@NullMarked
package dev.sluice.lifecycle;

import org.jspecify.annotations.NullMarked;
