/**
 * Checks of all properties below {@code sluice} before any bean is created: names and
 * units of times, which stop the start, and properties and connections that have no
 * effect, which are logged.
 * <p>
 * Internal. It uses the properties of all parts; no part uses it. Start at {@code
 * PropertyCheck}, then {@code PropertyNames}, which lists the groups.
 */
@NullMarked
package dev.sluice.autoconfigure.properties.names;

import org.jspecify.annotations.NullMarked;
