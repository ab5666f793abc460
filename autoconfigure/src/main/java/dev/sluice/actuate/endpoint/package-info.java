/**
 * The endpoint {@code throttling}: executors, queues, sessions, limits, batches and the
 * cluster as immutable descriptors, and the changes available to operators.
 * <p>
 * Internal, except for the auto-configuration. Start at {@code ThrottlingEndpoint}, then
 * {@code ThrottlingChanges}; {@code ThrottlingEndpointWebExtension} serves HTTP.
 */
@NullMarked
package dev.sluice.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
