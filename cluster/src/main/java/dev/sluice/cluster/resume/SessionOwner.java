package dev.sluice.cluster.resume;

import java.security.Principal;

import dev.sluice.internal.ClientNames;
import org.jspecify.annotations.Nullable;

/**
 * Owner of a session: a claim must be made by the same principal, at the same path, for
 * the same endpoint.
 *
 * @param principal the name of the principal, empty for an anonymous client
 * @param path the path of the handshake within the application
 * @param endpoint the endpoint
 */
public record SessionOwner(String principal, String path, String endpoint) {

	/** Returns the owner of a connection. */
	public static SessionOwner of(@Nullable Principal principal, String path, String endpoint) {
		return new SessionOwner((principal != null) ? "=" + ClientNames.require(principal) : "", path, endpoint);
	}

	/** Returns a text that is unique to the owner. */
	String text() {
		return this.principal.length() + ":" + this.principal + this.path.length() + ":" + this.path + this.endpoint;
	}

}
