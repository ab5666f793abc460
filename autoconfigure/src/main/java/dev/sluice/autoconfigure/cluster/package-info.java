/**
 * Sessions of all nodes of an application.
 * <p>
 * Internal, except for the auto-configuration; uses {@code properties}, after
 * {@code websocket}. Start at
 * {@link dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration}.
 */
@NullMarked
package dev.sluice.autoconfigure.cluster;

import org.jspecify.annotations.NullMarked;
