package dev.sluice.actuate.endpoint;

import java.util.Set;
import java.util.function.Supplier;

import dev.sluice.internal.ClientNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * The endpoint over HTTP, where names may depend on the caller and a rejected change has
 * its own status.
 */
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
	WebEndpointResponse<Object> part(SecurityContext securityContext, @Selector String kind, @Selector String name,
			@Nullable String key) {
		Object part = this.delegate.describe(kind, name, key, names(securityContext));
		return (part != null) ? new WebEndpointResponse<>(part) : ThrottlingEndpoint.missing(kind, name).response();
	}

	/**
	 * A name of any characters, as a server may reject some of them in a path, such as an
	 * encoded slash.
	 */
	@ReadOperation
	WebEndpointResponse<Object> partByName(SecurityContext securityContext, @Selector String kind, String name,
			@Nullable String key) {
		return part(securityContext, kind, name, key);
	}

	@WriteOperation
	WebEndpointResponse<Object> change(SecurityContext securityContext, @Selector String kind, @Selector String name,
			@Nullable String action, @Nullable String type, @Nullable String limit, @Nullable String period,
			@Nullable String buckets, @Nullable String capacity, @Nullable String minLimit, @Nullable String maxLimit,
			@Nullable String dryRun, @Nullable String version, @Nullable String maxTasksBeforeYield) {
		LimitChange change = new LimitChange(type, limit, period, buckets, capacity, minLimit, maxLimit, dryRun,
				version);
		return answer(() -> this.delegate.change(principal(securityContext), kind, name, action, change,
				maxTasksBeforeYield, names(securityContext)));
	}

	@WriteOperation
	WebEndpointResponse<Object> changeByName(SecurityContext securityContext, @Selector String kind, String name,
			@Nullable String action, @Nullable String type, @Nullable String limit, @Nullable String period,
			@Nullable String buckets, @Nullable String capacity, @Nullable String minLimit, @Nullable String maxLimit,
			@Nullable String dryRun, @Nullable String version, @Nullable String maxTasksBeforeYield) {
		return change(securityContext, kind, name, action, type, limit, period, buckets, capacity, minLimit, maxLimit,
				dryRun, version, maxTasksBeforeYield);
	}

	@DeleteOperation
	WebEndpointResponse<Object> delete(SecurityContext securityContext, @Selector String kind, @Selector String name,
			@Nullable String key, @Nullable String owner, @Nullable String version) {
		return answer(() -> {
			this.delegate.delete(principal(securityContext), kind, name, key, owner, version);
			return null;
		});
	}

	@DeleteOperation
	WebEndpointResponse<Object> deleteByName(SecurityContext securityContext, @Selector String kind, String name,
			@Nullable String key, @Nullable String owner, @Nullable String version) {
		return delete(securityContext, kind, name, key, owner, version);
	}

	private static WebEndpointResponse<Object> answer(Supplier<@Nullable Object> change) {
		try {
			Object state = change.get();
			return (state != null) ? new WebEndpointResponse<>(state)
					: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		}
		catch (RejectedRequestException ex) {
			return ex.response();
		}
	}

	private static @Nullable String principal(SecurityContext securityContext) {
		return ClientNames.find(securityContext.getPrincipal());
	}

	private NameVisibility names(SecurityContext securityContext) {
		return NameVisibility.shown(this.showKeys.isShown(securityContext, this.roles));
	}

}
