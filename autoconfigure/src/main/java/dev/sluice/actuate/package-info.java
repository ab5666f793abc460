/**
 * What operators see, and what its parts share: executors and batches by their names, and
 * the cluster where it is used.
 * <ul>
 * <li>{@code endpoint}: the endpoint {@code throttling}, which shows and changes.</li>
 * <li>{@code dashboard}: the page that shows it live.</li>
 * <li>{@code metrics}: meters below {@code sluice}.</li>
 * <li>{@code health}: the health indicator {@code sluice}.</li>
 * </ul>
 * Internal; {@code dashboard} uses {@code endpoint}, no other part another.
 */
@NullMarked
package dev.sluice.actuate;

import org.jspecify.annotations.NullMarked;
