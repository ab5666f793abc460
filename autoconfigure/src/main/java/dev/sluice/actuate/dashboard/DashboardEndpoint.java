package dev.sluice.actuate.dashboard;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.util.MimeType;

/**
 * A page that shows the endpoint {@code throttling} live, in the browser. It reads that
 * endpoint with the permissions of the user; if these allow changes of limits, so does
 * the page.
 */
@WebEndpoint(id = "sluice", defaultAccess = Access.NONE)
class DashboardEndpoint {

	private static final String CSS = "text/css";

	private static final String JAVASCRIPT = "text/javascript";

	private static final String SVG = "image/svg+xml";

	private static final Map<String, String> PARTS = Map.of("dashboard.css", CSS, "dashboard.js", JAVASCRIPT,
			"chart.umd.min.js", JAVASCRIPT, "icon.svg", SVG);

	private final boolean changes;

	private final Supplier<CsrfHeader> csrf;

	private final Runnable frameGuard;

	/**
	 * Creates the endpoint.
	 * @param changes whether the endpoint {@code throttling} accepts changes
	 * @param csrf supplies the CSRF header that a change requires, for the current
	 * request
	 * @param frameGuard makes the current response forbid frames
	 */
	DashboardEndpoint(boolean changes, Supplier<CsrfHeader> csrf, Runnable frameGuard) {
		this.changes = changes;
		this.csrf = csrf;
		this.frameGuard = frameGuard;
	}

	@ReadOperation(produces = "text/html;charset=UTF-8")
	String page() throws IOException {
		this.frameGuard.run();
		CsrfHeader header = this.csrf.get();
		return resource("index.html").getContentAsString(StandardCharsets.UTF_8)
			.replace("@changes@", String.valueOf(this.changes))
			.replace("@csrf-header@", header.name())
			.replace("@csrf-token@", header.value());
	}

	@ReadOperation(produces = { CSS, JAVASCRIPT, SVG })
	@Nullable WebEndpointResponse<Resource> part(@Selector String name) {
		String type = PARTS.get(name);
		return (type != null)
				? new WebEndpointResponse<>(resource(name), WebEndpointResponse.STATUS_OK, MimeType.valueOf(type))
				: null;
	}

	private static Resource resource(String name) {
		return new ClassPathResource(name, DashboardEndpoint.class);
	}

}
