/**
 * The endpoint {@code throttling}: executors, queues, sessions, limits, batches and the
 * cluster as immutable descriptors, and the changes that an operator may make.
 * <p>
 * Internal but for the auto-configuration. Start at {@code ThrottlingEndpoint}, then
 * {@code ThrottlingChanges}; {@code ThrottlingEndpointWebExtension} is the way in over
 * HTTP.
 */
@NullMarked
package dev.sluice.actuate.endpoint;

import org.jspecify.annotations.NullMarked;
