/**
 * One limited call, whoever makes it: how it is admitted at once or after a wait, what it
 * holds, how it ends, and what stands in for its result when it is rejected. Internal.
 * <p>
 * Uses {@code spi}, and knows neither annotations nor Spring. Start at
 * {@link dev.sluice.aop.call.GatedCall}; {@link dev.sluice.aop.call.StagedCall} makes one
 * whose result comes later.
 */
@NullMarked
package dev.sluice.aop.call;

import org.jspecify.annotations.NullMarked;
