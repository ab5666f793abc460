/**
 * Lifecycle of components with work left when the application stops: sessions, their
 * journal, and batches. Internal.
 * <p>
 * Independent of these components. Start at
 * {@link dev.sluice.lifecycle.DrainedLifecycle}.
 */
@NullMarked
package dev.sluice.lifecycle;

import org.jspecify.annotations.NullMarked;
