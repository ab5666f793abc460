package dev.sluice.actuate;

import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** The endpoint over HTTP, where names may depend on who asks. */
@EndpointWebExtension(endpoint = ThrottlingEndpoint.class)
class ThrottlingEndpointWebExtension {

	private final ThrottlingEndpoint delegate;

	private final Show showKeys;

	private final Set<String> roles;

	ThrottlingEndpointWebExtension(ThrottlingEndpoint delegate, Show showKeys, Set<String> roles) {
		this.delegate = delegate;
		this.showKeys = showKeys;
		this.roles = Set.copyOf(roles);
	}

	@ReadOperation
	ThrottlingDescriptor throttling(SecurityContext securityContext) {
		return this.delegate.describe(names(securityContext));
	}

	@ReadOperation
	@Nullable Object part(SecurityContext securityContext, @Selector String kind, @Selector String name, @Nullable String key) {
		return this.delegate.describe(kind, name, key, names(securityContext));
	}

	private Names names(SecurityContext securityContext) {
		return Names.shown(this.showKeys.isShown(securityContext, this.roles));
	}

}
