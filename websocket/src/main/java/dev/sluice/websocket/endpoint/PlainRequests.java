package dev.sluice.websocket.endpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.support.DefaultHandlerExceptionResolver;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/**
 * Answers requests to the path of an endpoint that are no handshakes, and that neither a
 * controller nor a file serves, as Spring answers them at the path of a
 * {@code WebSocketHandler}: a proxy that does not pass the header {@code Upgrade} on is
 * recognized by it. Exception handlers of the application precede.
 *
 * @since 0.1.0
 */
public final class PlainRequests implements WebMvcConfigurer {

	private final Supplier<Stream<WebSocketEndpointHandlerMapping>> mappings;

	/**
	 * Creates the answers.
	 * @param mappings supplies the mappings of the endpoints, for each request that
	 * nothing serves
	 */
	public PlainRequests(Supplier<Stream<WebSocketEndpointHandlerMapping>> mappings) {
		this.mappings = mappings;
	}

	@Override
	public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
		int index = 0;
		while (index < resolvers.size() && !(resolvers.get(index) instanceof DefaultHandlerExceptionResolver)) {
			index++;
		}
		resolvers.add(index, this::answer);
	}

	private @Nullable ModelAndView answer(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		if (!(ex instanceof NoResourceFoundException || ex instanceof NoHandlerFoundException)
				|| this.mappings.get().noneMatch((mapping) -> mapping.hasPath(request))) {
			return null;
		}
		try {
			if (HttpMethod.GET.matches(request.getMethod())) {
				response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
				response.getOutputStream().print("Can \"Upgrade\" only to \"WebSocket\".");
			}
			else {
				response.setHeader(HttpHeaders.ALLOW, HttpMethod.GET.name());
				response.setStatus(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
			}
		}
		catch (IOException failure) {
			throw new UncheckedIOException(failure);
		}
		return new ModelAndView();
	}

}
