package dev.sluice.client;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A new session. The state of an earlier session is lost, and its unhandled messages are
 * dropped. If the listener was not called before the connection was replaced or the
 * client was restarted, it is called when the session is resumed.
 *
 * @param id the id of the session's connection, another one after each resume
 * @param window for how long the session may be resumed after a lost connection; zero if
 * it may not
 * @param rejected why an earlier session has not been resumed, {@code expired} or
 * {@code invalid}; {@code null} if none was to be, or the session has been resumed since
 * @since 0.1.0
 */
public record NewSession(String id, Duration window, @Nullable String rejected) {
}
