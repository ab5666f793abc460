/**
 * The health indicator {@code sluice}, with details of the store, of the journal and of
 * the cluster if they are used.
 * <p>
 * Internal, except for the auto-configuration. Start at {@code SluiceHealthIndicator}.
 */
@NullMarked
package dev.sluice.actuate.health;

import org.jspecify.annotations.NullMarked;
