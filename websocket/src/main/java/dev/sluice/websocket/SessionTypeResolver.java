package dev.sluice.websocket;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.http.server.ServerHttpRequest;

/**
 * Strategy for choosing the class of a session from the request of its handshake, such as
 * from a header, the query or the claims of the principal. A bean of this type is called
 * for each handshake whose path and requested sub-protocol match no class or several.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SessionTypeResolver {

	/**
	 * Chooses the class of a session. Called on the container's thread, before the
	 * interceptors of the handshake; should return quickly and not wait.
	 * @param request the request of the handshake
	 * @param candidates the classes with the {@link WebSocketEndpoint} annotation that
	 * match the path and the sub-protocol, at least one
	 * @return one of the candidates, or {@code null} for the only one; with several
	 * candidates, {@code null} rejects the handshake with status 400
	 */
	@Nullable Class<? extends ManagedSession> resolve(ServerHttpRequest request,
			List<Class<? extends ManagedSession>> candidates);

}
