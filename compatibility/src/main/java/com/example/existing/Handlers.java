package com.example.existing;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistration;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.ConcurrentWebSocketSessionDecorator.OverflowStrategy;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.HandshakeHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;
import org.springframework.web.socket.server.standard.StandardWebSocketUpgradeStrategy;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

/**
 * Registers handlers the ordinary way, each for itself and with SockJS. Below
 * {@code /standard} the sessions are also Jakarta WebSocket sessions on Jetty.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSocket
class Handlers implements WebSocketConfigurer {

	private static final int LOW_LIMIT = 20_000;

	private static final int HIGH_LIMIT = 400_000;

	private static final int LARGE_BUFFER = 8 * 1024 * 1024;

	private static final int SMALL_BUFFER = 64 * 1024;

	private final Saved saved;

	private final Closed closed;

	private final DecoratingHandler buffering;

	private final DecoratingHandler dropping;

	private final @Nullable HandshakeHandler handshakeHandler;

	Handlers(Saved saved, Closed closed, DecoratingHandler buffering, DecoratingHandler dropping,
			ObjectProvider<HandshakeHandler> handshakeHandler) {
		this.saved = saved;
		this.closed = closed;
		this.buffering = buffering;
		this.dropping = dropping;
		this.handshakeHandler = handshakeHandler.getIfAvailable();
	}

	@Override
	public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
		add(registry, new EchoHandler(false), "/echo");
		add(registry, new EchoHandler(true), "/parts");
		add(registry, new BurstHandler(), "/burst");
		add(registry, new SlowHandler(), "/slow");
		add(registry, new SavingHandler(this.saved), "/saving");
		add(registry, new LimitedHandler(LOW_LIMIT), "/limited");
		add(registry, new LimitedHandler(HIGH_LIMIT), "/generous");
		add(registry, new LoopingHandler(this.closed), "/looping");
		add(registry, new WaitingHandler(), "/waiting");
		add(registry, new LargeHandler(), "/large");
		add(registry, new ProtocolsHandler(), "/protocols");
		add(registry, this.buffering, "/buffering");
		add(registry, this.dropping, "/dropping");
		add(registry, new NativeHandler(this.closed), "/native").addInterceptors(new Naming());
		add(registry, new EchoHandler(false), "/rejected").addInterceptors(new Rejecting());
		add(registry, new Throwing(), "/throwing");
		addStandard(registry, new EchoHandler(false), "/standard/echo");
		addStandard(registry, new EchoHandler(true), "/standard/parts");
		addStandard(registry, new LimitedHandler(LOW_LIMIT), "/standard/limited");
		addStandard(registry, new LimitedHandler(HIGH_LIMIT), "/standard/generous");
		registry.addHandler(new EchoHandler(false), "/sockjs/echo").withSockJS();
		registry.addHandler(new BurstHandler(), "/sockjs/burst").withSockJS();
		registry.addHandler(new SlowHandler(), "/sockjs/slow").withSockJS();
	}

	private WebSocketHandlerRegistration add(WebSocketHandlerRegistry registry, WebSocketHandler handler, String path) {
		WebSocketHandlerRegistration registration = registry.addHandler(handler, path);
		return (this.handshakeHandler != null) ? registration.setHandshakeHandler(this.handshakeHandler) : registration;
	}

	private static void addStandard(WebSocketHandlerRegistry registry, WebSocketHandler handler, String path) {
		registry.addHandler(handler, path)
			.setHandshakeHandler(new DefaultHandshakeHandler(new StandardWebSocketUpgradeStrategy()));
	}

	/** The handlers that are beans, because they end with the application. */
	@Configuration(proxyBeanMethods = false)
	static class Decorating {

		@Bean
		DecoratingHandler buffering() {
			return new DecoratingHandler(LARGE_BUFFER, OverflowStrategy.TERMINATE);
		}

		@Bean
		DecoratingHandler dropping() {
			return new DecoratingHandler(SMALL_BUFFER, OverflowStrategy.DROP);
		}

	}

	/** Keeps the query as the name of the session. */
	private static final class Naming implements HandshakeInterceptor {

		@Override
		public boolean beforeHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				Map<String, Object> attributes) {
			attributes.put("name", request.getURI().getQuery().replace("name=", ""));
			return true;
		}

		@Override
		public void afterHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				@Nullable Exception exception) {
		}

	}

	/** Rejects all handshakes. */
	private static final class Rejecting implements HandshakeInterceptor {

		@Override
		public boolean beforeHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				Map<String, Object> attributes) {
			response.setStatusCode(HttpStatus.CONFLICT);
			return false;
		}

		@Override
		public void afterHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				@Nullable Exception exception) {
		}

	}

	/** Fails when a session opens. */
	private static final class Throwing extends TextWebSocketHandler {

		@Override
		public void afterConnectionEstablished(WebSocketSession session) {
			throw new IllegalStateException("Not today");
		}

	}

}
