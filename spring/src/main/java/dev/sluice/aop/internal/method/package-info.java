/**
 * Limited methods: their annotations, attributes and expressions, read and verified once,
 * and their calls.
 * <p>
 * Uses {@code result}, {@code call} and {@code spi}. Start at
 * {@link dev.sluice.aop.internal.method.ThrottledMethods}, which caches the methods, then
 * {@code ThrottledMethodReader}, which reads them, and
 * {@link dev.sluice.aop.internal.method.ThrottledMethod}, which calls use. A mistake is
 * an {@link dev.sluice.annotation.InvalidThrottledMethodException} that an
 * {@code AnnotationAttribute} has worded.
 */
@NullMarked
package dev.sluice.aop.internal.method;

import org.jspecify.annotations.NullMarked;
