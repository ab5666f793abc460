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
 * Configurer that takes the sessions of STOMP in and gives the channels to and from
 * clients their executors. Its order is after Spring Boot's own configurer and before
 * those of an application, whose executors win therefore; see
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

	/** What the application has configured; Spring takes less than a millisecond, too. */
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
