/**
 * Limits in the memory of one node, whatever their kind: the cells by key, the guard of a
 * cell and the path without it, changes of a limit while it is in use, and the service of
 * the waiting line.
 * <p>
 * Uses the line. A kind of limit extends {@code Cell} by what it counts, and
 * {@code MemoryThrottle} by how it judges, takes and grants. Start at
 * {@link dev.sluice.throttle.internal.memory.Cell}, whose states everything rests on,
 * then {@link dev.sluice.throttle.internal.memory.MemoryThrottle}.
 */
@NullMarked
package dev.sluice.throttle.internal.memory;

import org.jspecify.annotations.NullMarked;
