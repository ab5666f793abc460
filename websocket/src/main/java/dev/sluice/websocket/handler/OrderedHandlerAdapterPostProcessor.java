package dev.sluice.websocket.handler;

import java.io.IOException;
import java.util.function.Supplier;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.HttpRequestHandlerAdapter;

/**
 * Post-processor that makes the adapter of Spring MVC for {@link HttpRequestHandler}s
 * call {@link OrderedRequestHandlers}. An additional adapter would keep a
 * {@code DispatcherServlet} from creating its default adapters.
 *
 * @param handlers supplies the request handlers, at the first request
 * @since 0.1.0
 */
public record OrderedHandlerAdapterPostProcessor(
		Supplier<OrderedRequestHandlers> handlers) implements BeanPostProcessor {

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean.getClass() == HttpRequestHandlerAdapter.class) ? new Adapter() : bean;
	}

	/** Calls the ordered handler instead of the original one. */
	private final class Adapter extends HttpRequestHandlerAdapter {

		@Override
		public @Nullable ModelAndView handle(HttpServletRequest request, HttpServletResponse response, Object handler)
				throws ServletException, IOException {
			OrderedHandlerAdapterPostProcessor.this.handlers.get()
				.serving((HttpRequestHandler) handler, request)
				.handleRequest(request, response);
			return null;
		}

	}

}
