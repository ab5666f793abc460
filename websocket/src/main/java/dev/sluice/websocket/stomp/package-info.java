/**
 * STOMP sessions: the channels of Spring's broker, with messages handled in the turns of
 * their sessions. Internal.
 * <p>
 * Uses {@code handler}, {@code session} and {@code inbound}. Start at
 * {@link dev.sluice.websocket.stomp.StompTaskExecutor}, which forms one algorithm with
 * {@code MessageTask}, its task.
 */
@NullMarked
package dev.sluice.websocket.stomp;

import org.jspecify.annotations.NullMarked;
