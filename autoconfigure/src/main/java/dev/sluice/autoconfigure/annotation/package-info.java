/**
 * Methods with {@code @Throttled}, {@code @Semaphore} and {@code @Mutex}, and their
 * results in Spring MVC, which hold a permit until the request has ended.
 * <p>
 * Internal, except for the auto-configuration; uses {@code throttle} and
 * {@code websocket}. Start at
 * {@link dev.sluice.autoconfigure.annotation.SluiceAnnotationsAutoConfiguration}.
 */
@NullMarked
package dev.sluice.autoconfigure.annotation;

import org.jspecify.annotations.NullMarked;
