package dev.sluice.websocket.settings;

import org.springframework.util.Assert;

/**
 * Maximum numbers of sessions open at the same time. A session counts until all messages
 * of its client are handled, even if the client has left. Further handshakes are rejected
 * with 503; if two handshakes compete, one may be closed with 1013 instead.
 * {@link Integer#MAX_VALUE} means no limit.
 *
 * @param sessions the sessions of this application
 * @param perPrincipal the sessions of one user, on all nodes of a cluster; anonymous
 * sessions are not limited by it
 * @param perAddress the sessions of one remote address
 * @param handshakeRate handshakes a second, and at once; handshakes beyond it are
 * rejected with 503 for any client
 */
public record QuotaLimits(int sessions, int perPrincipal, int perAddress, int handshakeRate) {

	/** No limits. */
	public static final QuotaLimits NONE = new QuotaLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

	/** Creates limits without a rate. */
	public QuotaLimits(int sessions, int perPrincipal, int perAddress) {
		this(sessions, perPrincipal, perAddress, Integer.MAX_VALUE);
	}

	public QuotaLimits {
		requirePositive(sessions, "maxSessions");
		requirePositive(perPrincipal, "maxSessionsPerPrincipal");
		requirePositive(perAddress, "maxSessionsPerAddress");
		requirePositive(handshakeRate, "handshakeRate");
	}

	private static void requirePositive(int limit, String name) {
		Assert.isTrue(limit > 0, () -> "'" + name + "' must be greater than 0: " + limit);
	}

}
