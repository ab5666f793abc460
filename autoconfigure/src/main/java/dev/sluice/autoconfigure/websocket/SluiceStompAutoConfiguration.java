package dev.sluice.autoconfigure.websocket;

import java.util.concurrent.Executor;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.autoconfigure.execution.ExecutorsConfiguration;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.websocket.handler.HandshakeGuardPostProcessor;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.stomp.DestinationsReport;
import dev.sluice.websocket.stomp.PublishingThreadExecutor;
import dev.sluice.websocket.stomp.RedundantOrderReport;
import dev.sluice.websocket.stomp.StompConfigurer;
import dev.sluice.websocket.stomp.StompTaskExecutor;
import dev.sluice.websocket.stomp.ThrottledMessageAdvice;
import dev.sluice.websocket.stomp.YieldingStompConfigurer;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.config.annotation.DelegatingWebSocketMessageBrokerConfiguration;

/**
 * Auto-configuration for ordered STOMP sessions, for applications with a message broker.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SluiceWebSocketAutoConfiguration.class)
@ConditionalOnClass(SimpMessagingTemplate.class)
@ConditionalOnBean({ WebSocketDispatcher.class, DelegatingWebSocketMessageBrokerConfiguration.class })
@ConditionalOnSwitch("sluice.websocket.stomp.enabled")
public final class SluiceStompAutoConfiguration {

	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean
	StompTaskExecutor sluiceStompTaskExecutor(WebSocketDispatcher dispatcher,
			@Qualifier(ExecutorsConfiguration.WORKERS) Executor workers, SluiceWebSocketProperties properties,
			ObjectProvider<ThrottleGate> gate) {
		return new StompTaskExecutor(dispatcher, workers, properties.stomp().levelHeader(), gate.getIfAvailable());
	}

	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean
	PublishingThreadExecutor sluiceStompPublishingThreadExecutor() {
		return new PublishingThreadExecutor();
	}

	@Bean
	@ConditionalOnMissingBean
	StompConfigurer sluiceStompConfigurer(WebSocketDispatcher dispatcher,
			@Qualifier("sluiceStompTaskExecutor") StompTaskExecutor inbound,
			@Qualifier("sluiceStompPublishingThreadExecutor") PublishingThreadExecutor outbound) {
		return new StompConfigurer(dispatcher, inbound, outbound);
	}

	@Bean
	@ConditionalOnMissingBean
	YieldingStompConfigurer sluiceYieldingStompConfigurer(
			@Qualifier("sluiceStompTaskExecutor") StompTaskExecutor inbound,
			@Qualifier("sluiceStompPublishingThreadExecutor") PublishingThreadExecutor outbound) {
		return new YieldingStompConfigurer(inbound, outbound);
	}

	@Bean
	StompLimits sluiceStompLimits(SluiceWebSocketProperties properties,
			@Qualifier("stompWebSocketHandlerMapping") ObjectProvider<HandlerMapping> configured,
			@Qualifier("subProtocolWebSocketHandler") ObjectProvider<WebSocketHandler> handler) {
		return new StompLimits(properties, () -> {
			configured.getIfAvailable();
			return handler.getIfAvailable();
		});
	}

	@Bean
	@ConditionalOnMissingBean
	static HandshakeGuardPostProcessor sluiceHandshakeGuardPostProcessor(
			ObjectProvider<WebSocketDispatcher> dispatcher) {
		return new HandshakeGuardPostProcessor(dispatcher::getObject);
	}

	@Bean
	@ConditionalOnMissingBean
	ThrottledMessageAdvice sluiceThrottledMessageAdvice(SluiceWebSocketProperties properties,
			@Qualifier("brokerMessagingTemplate") SimpMessagingTemplate template,
			@Qualifier("clientOutboundChannel") MessageChannel outbound, WebSocketDispatcher dispatcher) {
		SluiceWebSocketProperties.Stomp stomp = properties.stomp();
		return new ThrottledMessageAdvice(stomp.throttled(), stomp.throttledDestination(), template, outbound,
				dispatcher::frame);
	}

	@Bean(defaultCandidate = false)
	DestinationsReport sluiceDestinationsReport(ListableBeanFactory beans) {
		return new DestinationsReport(beans);
	}

	@Bean
	@ConditionalOnMissingBean
	RedundantOrderReport sluiceRedundantOrderReport(
			@Qualifier("clientInboundChannel") ObjectProvider<MessageChannel> inbound,
			@Qualifier("clientOutboundChannel") ObjectProvider<MessageChannel> outbound) {
		return new RedundantOrderReport(inbound::getObject, outbound::getObject);
	}

}
