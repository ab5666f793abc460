/**
 * Building blocks of the concurrent classes of this module: a lock of one word, the
 * threads that wait for a place in something full, a timer that can be cancelled while it
 * is started, the handles of fields, and the failures of futures.
 * <p>
 * Uses nothing but the JDK and the clock; each is used by at least two of the packages
 * for execution, batches and limits, or by the stores on servers. Start with any.
 */
@NullMarked
package dev.sluice.internal;

import org.jspecify.annotations.NullMarked;
