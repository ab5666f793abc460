/**
 * Results of methods: those that are there when the method returns, stages, reactive
 * types, and those that a web framework goes on with. Internal.
 * <p>
 * Uses {@code call} and {@code spi}. Start at {@link dev.sluice.aop.result.ResultType},
 * then {@code PlainResult}, the shortest; {@code ResultTypes} tells which a method has.
 */
@NullMarked
package dev.sluice.aop.result;

import org.jspecify.annotations.NullMarked;
