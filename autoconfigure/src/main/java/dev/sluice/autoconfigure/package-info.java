/**
 * Wiring for Spring Boot. This package has what applications name: callbacks that
 * customize executors, limits, batches and the journal. All else is below, a package for
 * each part.
 * <ul>
 * <li>{@code properties}: what is wrong with a property, and the remedy; {@code names}
 * checks the names of all of them. Used by all others.</li>
 * <li>{@code execution}: executors and workers. Used by {@code websocket},
 * {@code journal}, {@code context}, {@code throttle} and {@code batch}.</li>
 * <li>{@code websocket}, and after it {@code journal} and {@code context}.</li>
 * <li>{@code throttle}, and after it {@code annotation}, {@code web}, {@code redis} and
 * {@code batch}.</li>
 * </ul>
 * Types that are public in packages below are for other packages of this module only.
 * Start at the auto-configuration of a part, which is named
 * {@code Sluice…AutoConfiguration}.
 */
@NullMarked
package dev.sluice.autoconfigure;

import org.jspecify.annotations.NullMarked;
