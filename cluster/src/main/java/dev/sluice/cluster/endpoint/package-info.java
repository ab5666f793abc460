/**
 * Typed sessions that join topics and resume: the lifecycles that extend the endpoints of
 * one node. Internal.
 * <p>
 * Uses {@code resume} and the API of {@code cluster}. Start at
 * {@link dev.sluice.cluster.endpoint.ClusterEndpoints}.
 */
@NullMarked
package dev.sluice.cluster.endpoint;

import org.jspecify.annotations.NullMarked;
