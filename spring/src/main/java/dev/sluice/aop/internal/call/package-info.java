/**
 * One limited call, whoever makes it: how it is admitted at once or after a wait, what it
 * holds, how it ends, and what stands in for its result when it is rejected.
 * <p>
 * Uses {@code spi}, and knows neither annotations nor Spring. Start at
 * {@link dev.sluice.aop.internal.call.GatedCall};
 * {@link dev.sluice.aop.internal.call.StagedCall} makes one whose result comes later.
 */
@NullMarked
package dev.sluice.aop.internal.call;

import org.jspecify.annotations.NullMarked;
