package dev.sluice.cluster.stomp;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.ExecutorChannelInterceptor;

/**
 * Interceptor that lets clients subscribe to shared destinations after a position, or
 * obtain one, in their turn and after all interceptors that may reject them.
 */
final class SubscriptionInterceptor implements ExecutorChannelInterceptor {

	private final StompRoutes routes;

	private final MissedMessages missed;

	SubscriptionInterceptor(StompRoutes routes, MissedMessages missed) {
		this.routes = routes;
		this.missed = missed;
	}

	@Override
	public Message<?> beforeHandle(Message<?> message, MessageChannel channel, MessageHandler handler) {
		if (!this.routes.isSubscription(message, handler) || !asks(message)) {
			return message;
		}
		this.missed.subscribe(message, handler);
		return ClusterInterceptor.signOfLife(message);
	}

	private static boolean asks(Message<?> message) {
		return NodeMessage.header(message, NodeMessage.POSITION) != null
				|| NodeMessage.header(message, StompHeaderAccessor.STOMP_RECEIPT_HEADER) != null;
	}

}
