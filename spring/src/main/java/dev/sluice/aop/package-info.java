/**
 * Advice before limited methods, the gate behind it and the same in plain code. This is
 * the API; each of the packages below uses those after it only:
 * <ul>
 * <li>{@code internal.method}: the requirements of a method's annotations, read
 * once;</li>
 * <li>{@code internal.result}: how a method gives its result, which decides how its calls
 * are made and when they end;</li>
 * <li>{@code internal.call}: one call, which acquires its permits, may wait in line,
 * runs, and releases its held permits;</li>
 * <li>{@code spi}: collaborators that an application or an auto-configuration gives to
 * the gate.</li>
 * </ul>
 * Start at {@link dev.sluice.aop.ThrottleGate}: a call goes from it through the three
 * internal ones to the limits.
 */
@NullMarked
package dev.sluice.aop;

import org.jspecify.annotations.NullMarked;
