/**
 * Limited methods: their annotations, attributes and expressions, read and checked once,
 * and the calls that follow them.
 * <p>
 * Uses {@code result}, {@code call} and {@code spi}. Start at
 * {@link dev.sluice.aop.internal.method.ThrottledMethods}, which finds what was read,
 * then {@code ThrottledMethodReader}, which reads, and
 * {@link dev.sluice.aop.internal.method.ThrottledMethod}, which is what a call needs. A
 * mistake is an {@link dev.sluice.annotation.InvalidThrottledMethodException} that an
 * {@code AnnotationAttribute} has worded.
 */
@NullMarked
package dev.sluice.aop.internal.method;

import org.jspecify.annotations.NullMarked;
