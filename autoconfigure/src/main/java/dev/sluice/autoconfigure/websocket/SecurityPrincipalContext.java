package dev.sluice.autoconfigure.websocket;

import java.security.Principal;

import dev.sluice.websocket.PrincipalContext;
import org.jspecify.annotations.Nullable;

import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Sets the principal of a session as the security context of its handlers, if it is an
 * {@link Authentication}.
 */
final class SecurityPrincipalContext implements PrincipalContext {

	@Override
	public Scope open(@Nullable Principal principal) {
		if (!(principal instanceof Authentication authentication)) {
			return Scope.NONE;
		}
		SecurityContext before = SecurityContextHolder.getContext();
		SecurityContext context = SecurityContextHolder.createEmptyContext();
		context.setAuthentication(authentication);
		SecurityContextHolder.setContext(context);
		return () -> restore(before);
	}

	private static void restore(SecurityContext before) {
		if (before.getAuthentication() != null) {
			SecurityContextHolder.setContext(before);
		}
		else {
			SecurityContextHolder.clearContext();
		}
	}

}
