/**
 * Check of the names of all properties below {@code sluice}, and of the units of times,
 * before any bean is created.
 * <p>
 * Internal. It uses the properties of all parts; no part uses it. Start at {@code
 * PropertyCheck}, then {@code PropertyNames}, which lists the groups.
 */
@NullMarked
package dev.sluice.autoconfigure.properties.names;

import org.jspecify.annotations.NullMarked;
