/**
 * A small bank over WebSocket.
 */
@NullMarked
package dev.sluice.sample;

import org.jspecify.annotations.NullMarked;
