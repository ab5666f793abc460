package dev.sluice.autoconfigure.annotation;

import dev.sluice.aop.spi.DispatchedMethods;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.handler.HandlerMethods;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.web.socket.WebSocketHandler;

/**
 * Auto-configuration for the annotations on methods that receive messages. It names the
 * methods that sessions and handlers call, for which a proxy has no effect.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { SluiceWebSocketAutoConfiguration.class, SluiceAnnotationsAutoConfiguration.class })
@ConditionalOnClass({ WebSocketHandler.class, JsonMapper.class, HandlerMethods.class })
@ConditionalOnBean(ThrottlingManager.class)
@ConditionalOnSwitch("sluice.annotations.enabled")
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class SluiceHandlerMethodsAutoConfiguration {

	/** Registered whether or not handlers and sessions are wrapped. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(name = "sluiceConnectionCallbacks")
	DispatchedMethods sluiceConnectionCallbacks() {
		return HandlerMethods::isConnectionCallback;
	}

	/** A proxy intercepts the calls of {@code handleMessage} only. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(name = SluiceWebSocketAutoConfiguration.HANDLER_METHODS)
	DispatchedMethods sluiceUnwrappedHandlerMethods() {
		return (method, targetClass) -> HandlerMethods.isHandlerMethod(method, targetClass)
				&& !method.getName().equals("handleMessage");
	}

}
