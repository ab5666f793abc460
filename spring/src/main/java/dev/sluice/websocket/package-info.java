/**
 * WebSocket sessions whose messages are handled and sent in order, one at a time, without
 * holding a thread while they wait.
 */
@NullMarked
package dev.sluice.websocket;

import org.jspecify.annotations.NullMarked;
