package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
import org.springframework.util.unit.DataSize;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketTransportRegistration;
import org.springframework.web.socket.messaging.StompSubProtocolHandler;
import org.springframework.web.socket.messaging.SubProtocolWebSocketHandler;

/**
 * Replaces the limits that the application has set for STOMP by the properties that are
 * set, after all its configurers, and logs the effective limits.
 *
 * @param properties the properties of sessions
 * @param handler supplies the handler of the sessions, once it is configured
 */
record StompLimits(SluiceWebSocketProperties properties, Supplier<@Nullable WebSocketHandler> handler)
		implements
			WebSocketMessageBrokerConfigurer,
			Ordered,
			SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(StompLimits.class);

	private static final String REGISTRATION = "WebSocketTransportRegistration";

	@Override
	public void configureWebSocketTransport(WebSocketTransportRegistration registration) {
		DataSize messageSize = this.properties.maxMessageSize();
		if (messageSize != null) {
			registration.setMessageSizeLimit(Math.toIntExact(messageSize.toBytes()));
		}
		DataSize bufferSize = this.properties.outbound().bufferSizeLimit();
		if (bufferSize != null) {
			registration.setSendBufferSizeLimit(Math.toIntExact(bufferSize.toBytes()));
		}
		Duration time = this.properties.outbound().sendTimeLimit();
		if (time != null) {
			registration.setSendTimeLimit((int) Math.min(time.toMillis(), Integer.MAX_VALUE));
		}
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.handler.get() instanceof SubProtocolWebSocketHandler sessions) {
			logger.info("Limits of STOMP sessions: messages " + messageSize(sessions) + ", "
					+ OutboundLimits.describe(this.properties.outbound(),
							configured(DataSize.ofBytes(sessions.getSendBufferSizeLimit()),
									OutboundLimits.DEFAULT_SIZE),
							configured(Duration.ofMillis(sessions.getSendTimeLimit()), OutboundLimits.DEFAULT_TIME)));
		}
	}

	private SourcedLimit<DataSize> messageSize(SubProtocolWebSocketHandler sessions) {
		SourcedLimit<DataSize> byDefault = SourcedLimit.ofDefault(ContainerLimits.DEFAULT_SIZE);
		return SourcedLimit.choose("sluice.websocket.max-message-size", this.properties.maxMessageSize(),
				sessions.getProtocolHandlers()
					.stream()
					.filter(StompSubProtocolHandler.class::isInstance)
					.map((stomp) -> DataSize.ofBytes(((StompSubProtocolHandler) stomp).getMessageSizeLimit()))
					.findFirst()
					.map((size) -> configured(size, byDefault))
					.orElse(byDefault));
	}

	private static <T> SourcedLimit<T> configured(T value, SourcedLimit<T> byDefault) {
		return value.equals(byDefault.value()) ? byDefault : new SourcedLimit<>(value, REGISTRATION);
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}
