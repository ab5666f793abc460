package dev.sluice.websocket.resume;

/**
 * A session that was claimed.
 *
 * @param session the session
 * @param token its next token
 * @param unanswered whether the node that had it did not answer, so that the connection
 * which it had there may have its place still
 */
public record ClaimedSession(ResumableSession session, String token, boolean unanswered) {
}
