/**
 * A client of WebSocket endpoints whose sessions resume:
 * {@link dev.sluice.client.SluiceClient}.
 */
@NullMarked
package dev.sluice.client;

import org.jspecify.annotations.NullMarked;
