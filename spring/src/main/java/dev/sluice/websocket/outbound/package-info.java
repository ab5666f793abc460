/**
 * To the client: the order of sending, its buffer, parts of messages, and closing.
 */
@NullMarked
package dev.sluice.websocket.outbound;

import org.jspecify.annotations.NullMarked;
