/**
 * Wiring for Spring Boot. This package contains the types that applications use:
 * callbacks that customize executors, limits, batches and the journal. Each part has its
 * own package below.
 * <ul>
 * <li>{@code properties}: problems with properties and their remedies; {@code names}
 * checks the names of all properties. Used by all others.</li>
 * <li>{@code execution}: executors and workers. Used by {@code websocket}, {@code
 * journal}, {@code context}, {@code throttle} and {@code batch}.</li>
 * <li>{@code websocket}, and after it {@code journal} and {@code context}.</li>
 * <li>{@code throttle}, and after it {@code annotation}, {@code web}, {@code redis} and
 * {@code batch}.</li>
 * </ul>
 * Types that are public in packages below are for other packages of this module only.
 * Start at the auto-configuration of a part, which is named {@code
 * Sluice…AutoConfiguration}.
 */
@NullMarked
package dev.sluice.autoconfigure;

import org.jspecify.annotations.NullMarked;
