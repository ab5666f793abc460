package dev.sluice.websocket.stomp;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.core.Ordered;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

/**
 * Configurer that comes after all those of an application, and tells what is lost where
 * the application gave a channel an executor of its own, and lets a pool win that it
 * asked for by {@link ChannelRegistration#taskExecutor()}, which would lose to any
 * executor.
 *
 * @since 0.1.0
 * @param inbound the executor of the channel from clients
 * @param outbound the executor of the channel to clients
 */
public record YieldingStompConfigurer(StompTaskExecutor inbound,
		PublishingThreadExecutor outbound) implements WebSocketMessageBrokerConfigurer, Ordered {

	private static final Log logger = LogFactory.getLog(YieldingStompConfigurer.class);

	private static final String REMEDY = ". Leave the executor of its ChannelRegistration alone to have that, "
			+ "or set sluice.websocket.stomp.enabled=false to do without.";

	@Override
	public void configureClientInboundChannel(ChannelRegistration registration) {
		if (yields(registration, this.inbound)) {
			logger.warn("The application's own executor handles the messages of clientInboundChannel: those of a "
					+ "session may overtake each other, none is urgent, a limit's WAIT holds a thread, and a client "
					+ "that sends too much is not slowed" + REMEDY);
		}
	}

	@Override
	public void configureClientOutboundChannel(ChannelRegistration registration) {
		if (yields(registration, this.outbound)) {
			logger.warn("The application's own executor handles the messages of clientOutboundChannel: those to a "
					+ "session may overtake each other, and wait without a bound in bytes" + REMEDY);
		}
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@SuppressWarnings("NullAway") // null is what a registration starts with
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
