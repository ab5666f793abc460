package dev.sluice.cluster.stomp;

import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.ExecutorChannelInterceptor;
import org.springframework.messaging.support.MessageBuilder;

/**
 * Interceptor that diverts messages for all nodes from the handlers of this node, in
 * their turn and after all interceptors that may reject them.
 */
final class ClusterInterceptor implements ExecutorChannelInterceptor {

	private final BiFunction<Message<?>, MessageHandler, @Nullable NodeMessage> routes;

	private final Publisher publisher;

	/**
	 * Creates an interceptor.
	 * @param routes select the messages for all nodes
	 */
	ClusterInterceptor(BiFunction<Message<?>, MessageHandler, @Nullable NodeMessage> routes, Publisher publisher) {
		this.routes = routes;
		this.publisher = publisher;
	}

	@Override
	public Message<?> beforeHandle(Message<?> message, MessageChannel channel, MessageHandler handler) {
		NodeMessage routed = this.routes.apply(message, handler);
		if (routed == null) {
			return message;
		}
		this.publisher.publish(routed, message);
		return signOfLife(message);
	}

	/**
	 * Returns the remainder for the handler. The broker records that the client is alive,
	 * and the steps that follow a message in order are still executed.
	 */
	static Message<?> signOfLife(Message<?> message) {
		SimpMessageHeaderAccessor accessor = SimpMessageHeaderAccessor.wrap(message);
		accessor.setHeader(SimpMessageHeaderAccessor.MESSAGE_TYPE_HEADER, SimpMessageType.HEARTBEAT);
		accessor.removeHeader(SimpMessageHeaderAccessor.DESTINATION_HEADER);
		return MessageBuilder.createMessage(message.getPayload(), accessor.getMessageHeaders());
	}

	/** Sends a message to all nodes. */
	@FunctionalInterface
	interface Publisher {

		void publish(NodeMessage routed, Message<?> message);

	}

}
