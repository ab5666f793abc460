/**
 * One session out of both its directions, and what is known of all sessions.
 */
@NullMarked
package dev.sluice.websocket.session;

import org.jspecify.annotations.NullMarked;
