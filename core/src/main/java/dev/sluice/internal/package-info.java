/**
 * Building blocks of the concurrent classes of all modules: the resources that one unit
 * of work holds, the guard of calls to code of the application, a lock of one word, the
 * threads that wait for a place in something full, a timer that can be cancelled while it
 * is started, the handles of fields, and the failures of futures.
 * <p>
 * Uses nothing but the JDK and the clock; each is used by at least two packages. Start at
 * {@link dev.sluice.internal.HeldResources}.
 */
@NullMarked
package dev.sluice.internal;

import org.jspecify.annotations.NullMarked;
