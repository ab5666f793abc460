/**
 * The health indicator {@code sluice}, with details of the store in Redis, of the journal
 * and of the cluster where they are used.
 * <p>
 * Internal but for the auto-configuration. Start at {@code SluiceHealthIndicator}.
 */
@NullMarked
package dev.sluice.actuate.health;

import org.jspecify.annotations.NullMarked;
