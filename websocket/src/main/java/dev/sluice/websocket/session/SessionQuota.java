package dev.sluice.websocket.session;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import dev.sluice.internal.ClientNames;
import dev.sluice.websocket.settings.QuotaLimits;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketSession;

/**
 * Limited counts of the sessions that have not ended: of the application, of each
 * principal and of each address.
 */
public final class SessionQuota {

	/*
	 * A count is raised before it is checked and lowered again if it was too high, so the
	 * limits are never exceeded; if two sessions compete for the last place, both may be
	 * rejected. Attacked by SessionQuotaTests.
	 */

	private static final Log logger = LogFactory.getLog(SessionQuota.class);

	private final QuotaLimits limits;

	private final AtomicBoolean anonymous = new AtomicBoolean();

	private final Map<Key, Integer> counts = new ConcurrentHashMap<>();

	SessionQuota(QuotaLimits limits) {
		this.limits = limits;
	}

	QuotaLimits limits() {
		return this.limits;
	}

	/**
	 * Returns whether one more session would be accepted now.
	 * @param undecided whether it may turn out to replace another one
	 */
	public boolean hasRoom(@Nullable Principal principal, @Nullable InetSocketAddress address, boolean undecided) {
		return keys(principal, address, undecided).stream()
			.allMatch((key) -> this.counts.getOrDefault(key, 0) < key.limit());
	}

	/**
	 * Counts a session in.
	 * @param undecided whether it may turn out to replace another one; such connections
	 * have their own counts
	 * @return the counts to {@linkplain #release release}, or {@code null} if a limit is
	 * reached
	 */
	public @Nullable List<Key> reserve(WebSocketSession session, boolean undecided) {
		Principal principal = session.getPrincipal();
		if (principal == null && this.limits.perPrincipal() < Integer.MAX_VALUE
				&& this.anonymous.compareAndSet(false, true)) {
			logger.info("'sluice.websocket.max-sessions-per-principal' does not limit sessions without a principal, "
					+ "such as session '" + session.getId() + "'. Authenticate their handshakes, or set "
					+ "'sluice.websocket.max-sessions-per-address'");
		}
		List<Key> keys = keys(principal, session.getRemoteAddress(), undecided);
		return take(keys) ? keys : null;
	}

	/**
	 * Adds the remaining counts of a connection that has been decided.
	 * @return the counts that then include it, or {@code null} if a limit is reached
	 */
	@Nullable List<Key> decide(WebSocketSession session, List<Key> present) {
		List<Key> keys = keys(session.getPrincipal(), session.getRemoteAddress(), false);
		return take(keys.stream().filter((key) -> !present.contains(key)).toList()) ? keys : null;
	}

	private boolean take(List<Key> keys) {
		boolean exceeded = false;
		for (Key key : keys) {
			exceeded |= this.counts.merge(key, 1, Integer::sum) > key.limit();
		}
		if (exceeded) {
			release(keys);
		}
		return !exceeded;
	}

	/** Returns the counts that still include a connection that was replaced. */
	static List<Key> replaced(List<Key> keys) {
		return keys.stream().filter((key) -> key.scope() == Scope.APPLICATION).toList();
	}

	public void release(List<Key> keys) {
		keys.forEach((key) -> this.counts.computeIfPresent(key, (same, count) -> (count > 1) ? count - 1 : null));
	}

	private List<Key> keys(@Nullable Principal principal, @Nullable InetSocketAddress address, boolean undecided) {
		return Stream
			.of(new Key(Scope.APPLICATION, "", this.limits.sessions()),
					new Key(undecided ? Scope.UNDECIDED_PRINCIPAL : Scope.PRINCIPAL,
							(principal != null) ? ClientNames.require(principal) : null, this.limits.perPrincipal()),
					new Key(undecided ? Scope.UNDECIDED_ADDRESS : Scope.ADDRESS,
							(address != null) ? host(address) : null, this.limits.perAddress()))
			.filter((key) -> key.name() != null && key.limit() < Integer.MAX_VALUE)
			.toList();
	}

	private static String host(InetSocketAddress address) {
		InetAddress resolved = address.getAddress();
		return (resolved != null) ? resolved.getHostAddress() : address.getHostString();
	}

	/** Whose sessions are counted. */
	private enum Scope {

		APPLICATION, PRINCIPAL, ADDRESS, UNDECIDED_PRINCIPAL, UNDECIDED_ADDRESS

	}

	/** A count, and its limit. */
	public record Key(Enum<?> scope, @Nullable String name, int limit) {
	}

}
