/**
 * Advice before limited methods, the gate behind it, and the same functions in plain
 * code. This package is the API; each of the following packages uses only the ones after
 * it:
 * <ul>
 * <li>{@code internal.method}: the requirements of a method's annotations, read
 * once;</li>
 * <li>{@code internal.result}: the kind of a method's result, which determines how its
 * calls are made and when they end;</li>
 * <li>{@code internal.call}: one call, which acquires its permits, may wait in line,
 * runs, and releases its held permits;</li>
 * <li>{@code spi}: collaborators of the gate that an application or an auto-configuration
 * provides.</li>
 * </ul>
 * Start at {@link dev.sluice.aop.ThrottleGate}: a call passes from it through the three
 * internal packages to the limits.
 */
@NullMarked
package dev.sluice.aop;

import org.jspecify.annotations.NullMarked;
