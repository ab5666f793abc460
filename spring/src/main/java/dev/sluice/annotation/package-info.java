/**
 * Annotations that limit the calls of bean methods.
 */
@NullMarked
package dev.sluice.annotation;

import org.jspecify.annotations.NullMarked;
