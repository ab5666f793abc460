package dev.sluice.autoconfigure;

import org.apache.tomcat.websocket.WsWebSocketContainer;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Closes the sessions that are not ours while Tomcat's connectors still run. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(WsWebSocketContainer.class)
class TomcatSessionsConfiguration {

	@Bean
	TomcatSessionsLifecycle sluiceTomcatSessionsLifecycle() {
		return new TomcatSessionsLifecycle();
	}

}
