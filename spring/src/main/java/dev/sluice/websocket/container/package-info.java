/**
 * What containers can do with the socket of a session: senders of frames, control frames
 * without a thread that waits, suspended reading, and abrupt ends.
 */
@NullMarked
package dev.sluice.websocket.container;

import org.jspecify.annotations.NullMarked;
