/**
 * Support for tests of WebSocket endpoints: a client that waits for messages in the order
 * of their arrival.
 */
@NullMarked
package dev.sluice.test.socket;

import org.jspecify.annotations.NullMarked;
