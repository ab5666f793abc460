/**
 * Building blocks of the concurrent classes of this module: a lock of one word, the
 * threads that wait for a place in something full, a timer that can be cancelled while it
 * is started, and the handles of fields.
 * <p>
 * Uses nothing but the JDK and the clock; each is used by at least two of the packages
 * for execution, batches and limits, and by nobody else. Start with any.
 */
@NullMarked
package dev.sluice.internal;

import org.jspecify.annotations.NullMarked;
