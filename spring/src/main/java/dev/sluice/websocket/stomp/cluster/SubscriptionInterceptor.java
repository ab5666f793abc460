package dev.sluice.websocket.stomp.cluster;

import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.ExecutorChannelInterceptor;
import org.springframework.messaging.support.NativeMessageHeaderAccessor;

/**
 * Interceptor that lets clients subscribe to destinations of all nodes behind a position,
 * or learn one, in their turn and after all interceptors that may reject them.
 */
final class SubscriptionInterceptor implements ExecutorChannelInterceptor {

	private final MessageRoutes routes;

	private final MissedMessages missed;

	SubscriptionInterceptor(MessageRoutes routes, MissedMessages missed) {
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
		return header(message, NodeMessage.POSITION) != null
				|| header(message, StompHeaderAccessor.STOMP_RECEIPT_HEADER) != null;
	}

	static @Nullable String header(Message<?> message, String name) {
		return NativeMessageHeaderAccessor.getFirstNativeHeader(name, message.getHeaders());
	}

}
