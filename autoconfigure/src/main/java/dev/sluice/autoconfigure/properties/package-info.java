/**
 * Checks of the values of properties: the exception that names the remedy with its
 * failure analyzer, rules for ranges, names that an application chooses, and the nearest
 * name.
 * <p>
 * Internal, and uses nothing of this module. Start at
 * {@link dev.sluice.autoconfigure.properties.CheckedProperties}, which properties
 * implement, then {@link dev.sluice.autoconfigure.properties.PropertyRules}.
 */
@NullMarked
package dev.sluice.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
