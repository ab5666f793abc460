package dev.sluice.websocket.stomp;

import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.simp.broker.OrderedMessageChannelDecorator;

/**
 * Report, once the application is wired, of channels configured to preserve an order that
 * is already guaranteed.
 *
 * @since 0.1.0
 * @param inbound supplies the channel from clients
 * @param outbound supplies the channel to clients
 */
public record RedundantOrderReport(Supplier<MessageChannel> inbound,
		Supplier<MessageChannel> outbound) implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(RedundantOrderReport.class);

	@Override
	public void afterSingletonsInstantiated() {
		warnIfOrdered(this.inbound.get(), "setPreserveReceiveOrder");
		warnIfOrdered(this.outbound.get(), "setPreservePublishOrder");
	}

	private static void warnIfOrdered(MessageChannel channel, String property) {
		if (OrderedMessageChannelDecorator.supportsOrderedMessages(channel)) {
			logger.warn("Remove " + property + "(true): the messages of a session are in order without it; with it "
					+ "they wait in one more queue, which has no bound, and where none of them is urgent.");
		}
	}

}
