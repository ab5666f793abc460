package dev.sluice.websocket.stomp;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.core.Ordered;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

/**
 * Configurer that runs after all configurers of the application. If the application gave
 * a channel its own executor, a warning lists the features that do not apply. If the
 * application requested a pool with {@link ChannelRegistration#taskExecutor()}, which any
 * executor would override, the pool is kept.
 *
 * @since 0.1.0
 * @param inbound the executor of the channel from clients
 * @param outbound the executor of the channel to clients
 */
public record YieldingStompConfigurer(StompTaskExecutor inbound,
		PublishingThreadExecutor outbound) implements WebSocketMessageBrokerConfigurer, Ordered {

	private static final Log logger = LogFactory.getLog(YieldingStompConfigurer.class);

	private static final String REMEDY = ". Remove the executor from its ChannelRegistration, "
			+ "or set sluice.websocket.stomp.enabled=false to accept this.";

	@Override
	public void configureClientInboundChannel(ChannelRegistration registration) {
		if (yields(registration, this.inbound)) {
			logger.warn("The application's own executor handles the messages of clientInboundChannel: messages of a "
					+ "session may overtake each other, none is urgent, a limit's WAIT holds a thread, and a client "
					+ "that sends too much is not slowed" + REMEDY);
		}
	}

	@Override
	public void configureClientOutboundChannel(ChannelRegistration registration) {
		if (yields(registration, this.outbound)) {
			logger.warn("The application's own executor handles the messages of clientOutboundChannel: messages to a "
					+ "session may overtake each other, and they wait without a bound in bytes" + REMEDY);
		}
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@SuppressWarnings("NullAway") // A registration starts with null
	private static boolean yields(ChannelRegistration registration, Object executor) {
		DirectFieldAccessor fields = new DirectFieldAccessor(registration);
		if (fields.getPropertyValue("executor") != executor) {
			return true;
		}
		if (fields.getPropertyValue("registration") == null) {
			return false;
		}
		registration.executor(null);
		return true;
	}

}
