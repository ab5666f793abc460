package dev.sluice.cluster.stomp;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.messaging.support.NativeMessageHeaderAccessor;

/**
 * Message to a destination, in the form in which nodes exchange it: the parts that
 * subscribers can read.
 *
 * @param destination the destination
 * @param sessionId the session that it is for, {@code null} for all sessions
 * @param contentType the content type
 * @param headers the headers of STOMP
 * @param payload the body
 */
record NodeMessage(String destination, @Nullable String sessionId, @Nullable String contentType,
		Map<String, List<@Nullable String>> headers, byte[] payload) {

	/**
	 * Header with the position of a message, or with the last position of a subscriber.
	 */
	static final String POSITION = "position";

	private static final String REPLAYED = "replayed";

	/** Returns the parts of a message to send, except its session. */
	@SuppressWarnings("unchecked")
	static NodeMessage of(Message<?> message, String destination, byte[] payload) {
		Object contentType = message.getHeaders().get(MessageHeaders.CONTENT_TYPE);
		Map<String, List<@Nullable String>> headers = (Map<String, List<@Nullable String>>) message.getHeaders()
			.get(NativeMessageHeaderAccessor.NATIVE_HEADERS);
		return new NodeMessage(destination, null, (contentType != null) ? contentType.toString() : null,
				(headers != null) ? headers : Map.of(), payload);
	}

	/** Returns a STOMP header, or {@code null} if the message does not have it. */
	static @Nullable String header(Message<?> message, String name) {
		return NativeMessageHeaderAccessor.getFirstNativeHeader(name, message.getHeaders());
	}

	NodeMessage forSession(String id) {
		return new NodeMessage(this.destination, id, this.contentType, this.headers, this.payload);
	}

	/**
	 * Returns the message for a broker.
	 * @param position its position, or {@code null} without a useful one
	 */
	Message<byte[]> message(@Nullable String position) {
		SimpMessageHeaderAccessor accessor = accessor(position);
		accessor.setSessionId(this.sessionId);
		return MessageBuilder.createMessage(this.payload, accessor.getMessageHeaders());
	}

	/** Returns the message for a subscription that has missed it. */
	Message<byte[]> replayed(String position, Message<?> subscription) {
		MessageHeaders headers = subscription.getHeaders();
		SimpMessageHeaderAccessor accessor = accessor(position);
		accessor.setNativeHeader(REPLAYED, "true");
		accessor.setSessionId(SimpMessageHeaderAccessor.getSessionId(headers));
		accessor.setSubscriptionId(SimpMessageHeaderAccessor.getSubscriptionId(headers));
		accessor.setDestination(Objects.requireNonNull(SimpMessageHeaderAccessor.getDestination(headers)));
		return MessageBuilder.createMessage(this.payload, accessor.getMessageHeaders());
	}

	private SimpMessageHeaderAccessor accessor(@Nullable String position) {
		SimpMessageHeaderAccessor accessor = SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
		this.headers.forEach(accessor::setNativeHeaderValues);
		accessor.removeNativeHeader(REPLAYED);
		accessor.setNativeHeader(POSITION, position);
		accessor.setDestination(this.destination);
		if (this.contentType != null) {
			accessor.setHeader(MessageHeaders.CONTENT_TYPE, this.contentType);
		}
		return accessor;
	}

}
