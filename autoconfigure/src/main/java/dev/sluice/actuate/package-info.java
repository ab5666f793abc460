/**
 * Endpoint, dashboard, metrics and health. This package contains the parts that they
 * share: executors and batches by name, and the lookup of the cluster.
 * <ul>
 * <li>{@code endpoint}: the endpoint {@code throttling}, which shows and changes.</li>
 * <li>{@code dashboard}: the page that shows it live.</li>
 * <li>{@code metrics}: meters below {@code sluice}.</li>
 * <li>{@code health}: the health indicator {@code sluice}.</li>
 * </ul>
 * Internal; only {@code dashboard} uses another part, {@code endpoint}.
 */
@NullMarked
package dev.sluice.actuate;

import org.jspecify.annotations.NullMarked;
