/**
 * STOMP whose messages are handled in the turns of their sessions.
 */
@NullMarked
package dev.sluice.websocket.stomp;

import org.jspecify.annotations.NullMarked;
