package com.example.existing;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.server.jetty.JettyRequestUpgradeStrategy;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

/** Sets the sizes of messages as Spring's reference tells to for Jetty. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "org.eclipse.jetty.server.Server")
class JettySizes {

	@Bean
	DefaultHandshakeHandler handshakeHandler() {
		JettyRequestUpgradeStrategy strategy = new JettyRequestUpgradeStrategy();
		strategy.addWebSocketConfigurer((configurable) -> {
			configurable.setMaxTextMessageSize(TomcatSizes.LARGEST);
			configurable.setMaxBinaryMessageSize(TomcatSizes.LARGEST);
		});
		return new DefaultHandshakeHandler(strategy);
	}

}
