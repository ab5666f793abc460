/**
 * One limited call, for every kind of caller: its admission, at once or after a wait, its
 * permits, its end, and the substitute for its result when it is rejected.
 * <p>
 * Uses {@code spi}, and is independent of annotations and Spring. Start at
 * {@link dev.sluice.aop.internal.call.GatedCall};
 * {@link dev.sluice.aop.internal.call.StagedCall} makes one whose result comes later.
 */
@NullMarked
package dev.sluice.aop.internal.call;

import org.jspecify.annotations.NullMarked;
