/**
 * Results of methods: those that are there when the method returns, stages, reactive
 * types, and those that a web framework goes on with.
 * <p>
 * Uses {@code call} and {@code spi}. Start at
 * {@link dev.sluice.aop.internal.result.ResultType}, then {@code PlainResult}, the
 * shortest; {@code ResultTypes} tells which a method has.
 */
@NullMarked
package dev.sluice.aop.internal.result;

import org.jspecify.annotations.NullMarked;
