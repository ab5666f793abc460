package dev.sluice.client;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Change of a client's state.
 *
 * @param state the new state
 * @param closeCode the code of the close that has led to {@link ClientState#WAITING} or
 * {@link ClientState#CLOSED}; 1006 where the connection ended without one
 * @param reason the reason of that close, which may be empty
 * @param delay the time until the next connection is made; {@code null} unless the client
 * waits for it
 * @since 0.1.0
 */
public record StateChange(ClientState state, int closeCode, String reason, @Nullable Duration delay) {
}
