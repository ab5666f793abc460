package dev.sluice.websocket;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import org.jspecify.annotations.Nullable;

import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * What a {@link ManagedSession} needs of its connection.
 *
 * @param session the session
 * @param messages writes what is sent
 */
record SessionConnection(OrderedWebSocketSession session, JsonMessages messages) {

	/** The attribute of the handshake that has the variables of the endpoint's path. */
	static final String PATH_VARIABLES = SessionConnection.class.getName() + ".PATH_VARIABLES";

	@SuppressWarnings("unchecked")
	Map<String, String> pathVariables() {
		return (Map<String, String>) this.session.getAttributes().getOrDefault(PATH_VARIABLES, Map.of());
	}

	MultiValueMap<String, String> queryParameters() {
		MultiValueMap<String, String> decoded = new LinkedMultiValueMap<>();
		URI uri = this.session.getUri();
		if (uri != null) {
			UriComponentsBuilder.fromUri(uri)
				.build()
				.getQueryParams()
				.forEach((name, values) -> values.forEach((value) -> decoded.add(decode(name), decode(value))));
		}
		return decoded;
	}

	/** A parameter may have no value. */
	private static String decode(@Nullable String text) {
		return (text != null) ? URLDecoder.decode(text, StandardCharsets.UTF_8) : "";
	}

	CompletableFuture<@Nullable Void> send(Object payload, Level level) {
		WrittenMessage message;
		try {
			message = this.messages.write(payload);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return this.session.outbound().send(message, level);
	}

}
