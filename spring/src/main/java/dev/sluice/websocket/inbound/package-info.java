/**
 * From the client: the turns of a session, reading and how it is slowed, parts of
 * messages, and calls that wait for permits.
 */
@NullMarked
package dev.sluice.websocket.inbound;

import org.jspecify.annotations.NullMarked;
