package com.example.existing;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.server.jetty.JettyRequestUpgradeStrategy;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

/**
 * Sets the sizes of messages as Spring's reference recommends for Jetty's native
 * sessions.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "org.eclipse.jetty.server.Server")
class JettySizes {

	/** The largest message, in bytes; differs from other containers. */
	private static final int LARGEST = 256 * 1024;

	@Bean
	DefaultHandshakeHandler handshakeHandler() {
		JettyRequestUpgradeStrategy strategy = new JettyRequestUpgradeStrategy();
		strategy.addWebSocketConfigurer((configurable) -> {
			configurable.setMaxTextMessageSize(LARGEST);
			configurable.setMaxBinaryMessageSize(LARGEST);
		});
		return new DefaultHandshakeHandler(strategy);
	}

}
