package dev.sluice.bus;

/**
 * Claim of a session by a node, for a connection that presented the secret of the
 * session.
 *
 * @param key the key of the session
 * @param secret the hash of the secret
 * @param owner the owner of the session
 * @param nextSecret the hash of the secret for the next claim
 * @since 0.1.0
 */
public record SessionClaim(String key, String secret, String owner, String nextSecret) {

}
