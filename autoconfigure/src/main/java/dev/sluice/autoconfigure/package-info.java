/**
 * Wiring for Spring Boot.
 */
@NullMarked
package dev.sluice.autoconfigure;

import org.jspecify.annotations.NullMarked;
