/**
 * The endpoint {@code sluice}, a page that shows the endpoint {@code throttling} live.
 * <p>
 * Internal, except for the auto-configuration; uses {@code endpoint} by its address only.
 * Start at {@code DashboardEndpoint}.
 */
@NullMarked
package dev.sluice.actuate.dashboard;

import org.jspecify.annotations.NullMarked;
