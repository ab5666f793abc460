/**
 * Beans for one servlet container: the sessions that it has on its own, and its threads
 * that handle messages.
 */
@NullMarked
package dev.sluice.autoconfigure.websocket.container;

import org.jspecify.annotations.NullMarked;
