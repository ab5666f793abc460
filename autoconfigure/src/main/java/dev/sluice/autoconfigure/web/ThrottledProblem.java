package dev.sluice.autoconfigure.web;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonWriter;
import org.springframework.http.HttpStatus;

/**
 * The response to a request that was throttled: status 429, {@code Retry-After}, the
 * fields of draft-ietf-httpapi-ratelimit-headers (version 11) and its problem type
 * {@code quota-exceeded}; or another status, with a problem that describes it. A
 * rejection because the store is unavailable has status 503 and the problem type {@code
 * temporary-reduced-capacity} of that draft, and no fields of a quota. Keys are omitted,
 * because they may be personal.
 *
 * @param status the status
 * @param headers the header fields
 * @param body the problem detail, as JSON
 */
record ThrottledProblem(int status, Map<String, String> headers, String body) {

	static final int TOO_MANY_REQUESTS = 429;

	static final String MEDIA_TYPE = "application/problem+json";

	private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

	private static final JsonWriter<Map<String, Object>> WRITER = JsonWriter.standard();

	/** Returns the rejection that an exception is or has as a cause, or {@code null}. */
	static @Nullable ThrottledException cause(@Nullable Throwable ex) {
		if (ex instanceof CompletionException || ex instanceof ExecutionException) {
			return cause(ex.getCause());
		}
		return (ex instanceof ThrottledException throttled) ? throttled : null;
	}

	static ThrottledProblem of(ThrottledException ex, ThrottlingManager manager, int status) {
		Map<String, String> headers = new LinkedHashMap<>();
		Duration retryAfter = ex.retryAfter();
		if (retryAfter != null) {
			headers.put("Retry-After", String.valueOf(seconds(retryAfter)));
		}
		if (ex.reason() == Decision.Reason.STORE) {
			return new ThrottledProblem(HttpStatus.SERVICE_UNAVAILABLE.value(), headers,
					WRITER.writeToString(unavailable(ex.resource(), retryAfter)));
		}
		if (ex.resource().chars().allMatch((character) -> character >= ' ' && character <= '~')) {
			String name = '"' + ex.resource().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
			manager.find(ex.resource())
				.ifPresent((throttle) -> headers.put("RateLimit-Policy", name + policy(throttle.limit())));
			headers.put("RateLimit", name + ";r=0" + ((retryAfter != null) ? ";t=" + seconds(retryAfter) : ""));
		}
		return new ThrottledProblem(status, headers, WRITER.writeToString(body(status, ex.resource(), retryAfter)));
	}

	private static Map<String, Object> unavailable(String resource, @Nullable Duration retryAfter) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("type", TYPES + "temporary-reduced-capacity");
		body.put("title", "Request cannot be satisfied due to temporary server capacity constraints");
		body.put("status", HttpStatus.SERVICE_UNAVAILABLE.value());
		body.put("detail", "The limit '" + resource + "' cannot be checked"
				+ ((retryAfter != null) ? "; retry after " + seconds(retryAfter) + " s" : ""));
		return body;
	}

	private static String policy(Limit limit) {
		Duration period = limit.period();
		return ";q=" + limit.limit() + ((period != null) ? ";w=" + seconds(period) : ";qu=\"concurrent-requests\"");
	}

	private static Map<String, Object> body(int status, String resource, @Nullable Duration retryAfter) {
		Map<String, Object> body = new LinkedHashMap<>();
		if (status == TOO_MANY_REQUESTS) {
			body.put("type", TYPES + "quota-exceeded");
			body.put("title", "Request cannot be satisfied as assigned quota has been exceeded");
		}
		else {
			HttpStatus known = HttpStatus.resolve(status);
			body.put("type", "about:blank");
			body.put("title", (known != null) ? known.getReasonPhrase() : "Rejected");
		}
		body.put("status", status);
		if (retryAfter != null) {
			body.put("detail", "Retry after " + seconds(retryAfter) + " s");
		}
		body.put("violated-policies", List.of(resource));
		return body;
	}

	/** Whole seconds, rounded up, so that a client that retries then is not early. */
	private static long seconds(Duration duration) {
		return (duration.getNano() > 0) ? duration.getSeconds() + 1 : duration.getSeconds();
	}

}
