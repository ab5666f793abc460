/**
 * The gate before limited methods, and the advice that puts it there.
 */
@NullMarked
package dev.sluice.aop;

import org.jspecify.annotations.NullMarked;
