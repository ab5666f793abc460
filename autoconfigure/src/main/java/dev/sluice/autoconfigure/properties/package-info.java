/**
 * Checks of the values of properties: the exception with the remedy and its failure
 * analyzer, rules for ranges, names that an application chooses, and the nearest name.
 * <p>
 * Internal, and independent of the other packages of this module. Start at
 * {@link dev.sluice.autoconfigure.properties.CheckedProperties}, which properties
 * implement, then {@link dev.sluice.autoconfigure.properties.PropertyRules}.
 */
@NullMarked
package dev.sluice.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
