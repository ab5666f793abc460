/**
 * STOMP sessions: the channels of Spring's broker, whose messages are handled in the
 * turns of their sessions. Internal.
 * <p>
 * Uses {@code handler} and {@code session}. Start at
 * {@link dev.sluice.websocket.stomp.StompTaskExecutor}; it and {@code MessageTask}, its
 * task, are one algorithm in two classes.
 */
@NullMarked
package dev.sluice.websocket.stomp;

import org.jspecify.annotations.NullMarked;
