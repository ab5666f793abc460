/**
 * Settings that all nodes of a cluster must share. Internal.
 */
@NullMarked
package dev.sluice.cluster.internal.settings;

import org.jspecify.annotations.NullMarked;
