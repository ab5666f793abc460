package dev.sluice.autoconfigure.cluster;

import java.util.List;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.autoconfigure.websocket.SluiceStompAutoConfiguration;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.broadcast.OrderedBroadcast;
import dev.sluice.cluster.internal.DefaultSessionCluster;
import dev.sluice.cluster.stomp.ClusteredBroker;
import dev.sluice.cluster.stomp.StompBroker;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.stomp.LocalStompSessions;
import dev.sluice.websocket.stomp.StompConfigurer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.simp.SimpMessagingTemplate;
import org.springframework.messaging.simp.broker.AbstractBrokerMessageHandler;
import org.springframework.messaging.simp.broker.SimpleBrokerMessageHandler;
import org.springframework.messaging.simp.user.SimpUserRegistry;
import org.springframework.messaging.simp.user.UserDestinationMessageHandler;
import org.springframework.messaging.support.AbstractSubscribableChannel;

/**
 * Auto-configuration of destinations of STOMP that all nodes share, for applications with
 * a simple broker that configure such destinations.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { SluiceClusterAutoConfiguration.class, SluiceStompAutoConfiguration.class })
@ConditionalOnClass(SimpMessagingTemplate.class)
@ConditionalOnBean({ SessionCluster.class, StompConfigurer.class })
@Conditional(OnStompDestinations.class)
public final class SluiceClusterStompAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ClusteredBroker sluiceClusteredBroker(SessionCluster cluster, StompBroker broker, WebSocketDispatcher dispatcher,
			SluiceClusterProperties properties) {
		List<String> destinations = properties.stomp().destinations();
		DestinationPatterns.check(destinations, broker.broker().getDestinationPrefixes(), broker.userPrefix());
		return new ClusteredBroker(broadcast(cluster), broker, new LocalStompSessions(dispatcher.context().sessions()),
				destinations, properties.resume().buffer().toBytes());
	}

	private static OrderedBroadcast broadcast(SessionCluster cluster) {
		if (cluster instanceof DefaultSessionCluster own) {
			return own.broadcast();
		}
		throw new InvalidConfigurationException(
				"'" + OnStompDestinations.PROPERTY + "' is set, but the SessionCluster is the application's own",
				"Remove '" + OnStompDestinations.PROPERTY
						+ "', or define a ClusterBus in place of the SessionCluster.");
	}

	@Bean
	@ConditionalOnMissingBean
	StompBroker sluiceStompBroker(@Qualifier("clientInboundChannel") AbstractSubscribableChannel inbound,
			@Qualifier("clientOutboundChannel") MessageChannel outbound,
			@Qualifier("brokerChannel") AbstractSubscribableChannel channel,
			@Qualifier("simpleBrokerMessageHandler") ObjectProvider<AbstractBrokerMessageHandler> broker,
			UserDestinationMessageHandler users, @Qualifier("brokerMessagingTemplate") SimpMessagingTemplate template,
			SimpUserRegistry registry) {
		return new StompBroker(inbound, outbound, channel, simple(broker), users, template.getUserDestinationPrefix(),
				registry);
	}

	private static SimpleBrokerMessageHandler simple(ObjectProvider<AbstractBrokerMessageHandler> broker) {
		if (broker.getIfAvailable() instanceof SimpleBrokerMessageHandler simple) {
			return simple;
		}
		throw new InvalidConfigurationException(
				"'" + OnStompDestinations.PROPERTY + "' is set, but the application has no simple broker",
				"Call 'enableSimpleBroker' in a WebSocketMessageBrokerConfigurer, or remove '"
						+ OnStompDestinations.PROPERTY + "': a broker of its own reaches all nodes.");
	}

}
