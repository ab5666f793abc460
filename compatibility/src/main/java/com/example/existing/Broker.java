package com.example.existing;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.StompWebSocketEndpointRegistration;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketTransportRegistration;
import org.springframework.web.socket.server.standard.StandardWebSocketUpgradeStrategy;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

/** STOMP as Spring's reference sets it up, for itself and with SockJS. */
@Configuration(proxyBeanMethods = false)
@EnableWebSocketMessageBroker
class Broker implements WebSocketMessageBrokerConfigurer {

	private static final int MESSAGE_SIZE = 96 * 1024;

	private static final int BUFFER_SIZE = 4 * 1024 * 1024;

	private final @Nullable DefaultHandshakeHandler handshakeHandler;

	Broker(ObjectProvider<DefaultHandshakeHandler> handshakeHandler) {
		this.handshakeHandler = handshakeHandler.getIfAvailable();
	}

	@Override
	public void registerStompEndpoints(StompEndpointRegistry registry) {
		StompWebSocketEndpointRegistration registration = registry.addEndpoint("/stomp");
		if (this.handshakeHandler != null) {
			registration.setHandshakeHandler(this.handshakeHandler);
		}
		registry.addEndpoint("/standard/stomp")
			.setHandshakeHandler(new DefaultHandshakeHandler(new StandardWebSocketUpgradeStrategy()));
		registry.addEndpoint("/sockjs/stomp").withSockJS();
	}

	@Override
	public void configureMessageBroker(MessageBrokerRegistry registry) {
		registry.setApplicationDestinationPrefixes("/app");
		registry.enableSimpleBroker("/topic");
	}

	@Override
	public void configureWebSocketTransport(WebSocketTransportRegistration registration) {
		registration.setMessageSizeLimit(MESSAGE_SIZE);
		registration.setSendBufferSizeLimit(BUFFER_SIZE);
	}

}
