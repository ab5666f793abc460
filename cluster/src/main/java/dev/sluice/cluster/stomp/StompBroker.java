package dev.sluice.cluster.stomp;

import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.simp.broker.SimpleBrokerMessageHandler;
import org.springframework.messaging.simp.user.SimpUserRegistry;
import org.springframework.messaging.simp.user.UserDestinationMessageHandler;
import org.springframework.messaging.support.InterceptableChannel;

/**
 * The parts of Spring's broker of this node.
 *
 * @since 0.1.0
 * @param inbound the channel for messages from clients
 * @param outbound the channel for messages to clients
 * @param channel the channel on which the application sends to the broker
 * @param broker has the subscriptions of this node
 * @param users resolves destinations of users
 * @param userPrefix the prefix of destinations of users, with a slash at its end
 * @param registry has the users of this node
 */
public record StompBroker(InterceptableChannel inbound, MessageChannel outbound, InterceptableChannel channel,
		SimpleBrokerMessageHandler broker, UserDestinationMessageHandler users, String userPrefix,
		SimpUserRegistry registry) {

}
