package dev.sluice.actuate.dashboard;

import dev.sluice.actuate.endpoint.SluiceEndpointAutoConfiguration;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.throttle.ThrottlingManager;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Auto-configuration for the endpoint {@code sluice}, the dashboard.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceEndpointAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnSwitch("sluice.enabled")
@ConditionalOnBean(ThrottlingManager.class)
@ConditionalOnAvailableEndpoint(DashboardEndpoint.class)
@ImportRuntimeHints(DashboardHints.class)
public final class SluiceDashboardAutoConfiguration {

	private static final String ENDPOINT = "sluiceThrottlingEndpointWebExtension";

	@Bean
	DashboardEndpoint sluiceDashboardEndpoint(BeanFactory beans, EndpointAccessResolver access,
			ObjectProvider<CsrfHeaderSource> csrf, ObjectProvider<FrameGuard> frameGuard) {
		if (!beans.containsBean(ENDPOINT)) {
			throw new InvalidConfigurationException(
					"The dashboard reads the endpoint 'throttling', which is not available",
					"Expose 'throttling' by 'management.endpoints.web.exposure.include' and set "
							+ "'management.endpoint.throttling.access' to read-only or unrestricted, or set "
							+ "'management.endpoint.sluice.access' to none.");
		}
		boolean changes = access.accessFor(EndpointId.of("throttling"), Access.READ_ONLY) == Access.UNRESTRICTED;
		CsrfHeaderSource source = csrf.getIfAvailable(() -> () -> CsrfHeader.NONE);
		return new DashboardEndpoint(changes, source::get, frameGuard.getIfAvailable(() -> () -> {
		})::forbidFrames);
	}

	/** Source of the CSRF header of the current request. */
	@FunctionalInterface
	interface CsrfHeaderSource {

		CsrfHeader get();

	}

	/**
	 * Forbids frames with headers, as Spring Security would; without servlets, the page's
	 * script does so.
	 */
	@FunctionalInterface
	interface FrameGuard {

		void forbidFrames();

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HttpServletResponse.class, RequestContextHolder.class })
	static class ServletConfiguration {

		@Bean
		FrameGuard sluiceFrameGuard() {
			return ServletConfiguration::forbidFrames;
		}

		private static void forbidFrames() {
			HttpServletResponse response = (RequestContextHolder
				.getRequestAttributes() instanceof ServletRequestAttributes request) ? request.getResponse() : null;
			if (response != null) {
				response.setHeader("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'");
				response.setHeader("X-Frame-Options", "DENY");
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ CsrfToken.class, RequestContextHolder.class })
	static class SecurityConfiguration {

		@Bean
		CsrfHeaderSource sluiceCsrfHeaderSource() {
			return SecurityConfiguration::header;
		}

		private static CsrfHeader header() {
			RequestAttributes request = RequestContextHolder.getRequestAttributes();
			Object attribute = (request != null)
					? request.getAttribute(CsrfToken.class.getName(), RequestAttributes.SCOPE_REQUEST) : null;
			return (attribute instanceof CsrfToken token) ? new CsrfHeader(token.getHeaderName(), token.getToken())
					: CsrfHeader.NONE;
		}

	}

}
