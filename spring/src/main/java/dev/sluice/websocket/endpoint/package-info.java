/**
 * Typed sessions: the mapping of their paths and the routes of their messages.
 */
@NullMarked
package dev.sluice.websocket.endpoint;

import org.jspecify.annotations.NullMarked;
