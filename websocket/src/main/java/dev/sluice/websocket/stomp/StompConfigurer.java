package dev.sluice.websocket.stomp;

import java.time.Duration;

import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.SendLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketTransportRegistration;
import org.springframework.web.socket.handler.WebSocketHandlerDecorator;
import org.springframework.web.socket.messaging.SubProtocolWebSocketHandler;

/**
 * Configurer that manages the sessions of STOMP and sets the executors of the channels to
 * and from clients. Its order is after Spring Boot's own configurer and before the
 * application's configurers, whose executors therefore take precedence; see
 * {@link YieldingStompConfigurer}.
 *
 * @since 0.1.0
 * @param dispatcher takes the sessions in
 * @param inbound the executor of the channel from clients
 * @param outbound the executor of the channel to clients
 */
public record StompConfigurer(WebSocketDispatcher dispatcher, StompTaskExecutor inbound,
		PublishingThreadExecutor outbound) implements WebSocketMessageBrokerConfigurer, Ordered {

	private static final int ORDER = 100;

	@Override
	public void configureWebSocketTransport(WebSocketTransportRegistration registration) {
		registration
			.addDecoratorFactory((handler) -> this.dispatcher.decorate(handler, "stomp", () -> sendLimits(handler)));
	}

	/**
	 * The limits that the application has configured; Spring also accepts less than a
	 * millisecond.
	 */
	private static @Nullable SendLimits sendLimits(WebSocketHandler handler) {
		return (WebSocketHandlerDecorator.unwrap(handler) instanceof SubProtocolWebSocketHandler stomp)
				? new SendLimits(Duration.ofMillis(Math.max(1, stomp.getSendTimeLimit())),
						Math.max(1, stomp.getSendBufferSizeLimit()))
				: null;
	}

	@Override
	public void configureClientInboundChannel(ChannelRegistration registration) {
		registration.executor(this.inbound).interceptors(this.inbound.interceptor());
	}

	@Override
	public void configureClientOutboundChannel(ChannelRegistration registration) {
		registration.executor(this.outbound);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

}
