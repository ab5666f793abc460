package dev.sluice.websocket.stomp.cluster;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.messaging.support.NativeMessageHeaderAccessor;

/**
 * Message to a destination, as nodes send it to each other: what subscribers can see of
 * it.
 *
 * @param destination the destination
 * @param sessionId the one session that it is for, {@code null} if it is for all
 * @param contentType the content type
 * @param headers the headers of STOMP
 * @param payload the body
 */
record NodeMessage(String destination, @Nullable String sessionId, @Nullable String contentType,
		Map<String, List<@Nullable String>> headers, byte[] payload) {

	/** Returns what there is to send of a message, but for its session. */
	@SuppressWarnings("unchecked")
	static NodeMessage of(Message<?> message, String destination, byte[] payload) {
		Object contentType = message.getHeaders().get(MessageHeaders.CONTENT_TYPE);
		Map<String, List<@Nullable String>> headers = (Map<String, List<@Nullable String>>) message.getHeaders()
			.get(NativeMessageHeaderAccessor.NATIVE_HEADERS);
		return new NodeMessage(destination, null, (contentType != null) ? contentType.toString() : null,
				(headers != null) ? headers : Map.of(), payload);
	}

	NodeMessage forSession(String id) {
		return new NodeMessage(this.destination, id, this.contentType, this.headers, this.payload);
	}

	/** Returns the message that a broker takes. */
	Message<byte[]> message() {
		SimpMessageHeaderAccessor accessor = SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
		this.headers.forEach(accessor::setNativeHeaderValues);
		accessor.setDestination(this.destination);
		accessor.setSessionId(this.sessionId);
		if (this.contentType != null) {
			accessor.setHeader(MessageHeaders.CONTENT_TYPE, this.contentType);
		}
		return MessageBuilder.createMessage(this.payload, accessor.getMessageHeaders());
	}

}
