/**
 * Common parts of all limits in the memory of one node: the cells by key, the guard of a
 * cell and the lock-free path, changes of a limit while it is in use, and the service of
 * the waiting line.
 * <p>
 * Uses the line. A kind of limit extends {@code Cell} by its counters, and
 * {@code MemoryThrottle} by its evaluation and grants. Start at
 * {@link dev.sluice.throttle.internal.memory.Cell}, whose states are the basis of all
 * other classes, then {@link dev.sluice.throttle.internal.memory.MemoryThrottle}.
 */
@NullMarked
package dev.sluice.throttle.internal.memory;

import org.jspecify.annotations.NullMarked;
