/**
 * Results of methods: results that are complete when the method returns, stages, reactive
 * types, suspend functions and flows of Kotlin, and results that a web framework
 * continues to process.
 * <p>
 * Uses {@code call} and {@code spi}. Start at
 * {@link dev.sluice.aop.internal.result.ResultType}, then {@code PlainResult}, the
 * shortest; {@code DeclaredResults} selects the type for a method.
 */
@NullMarked
package dev.sluice.aop.internal.result;

import org.jspecify.annotations.NullMarked;
