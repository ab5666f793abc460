package dev.sluice.websocket;

import java.nio.ByteBuffer;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.SessionLimitExceededException;

/**
 * Puts the parts of messages together, so that large messages need no large buffers in
 * the container for the life of every connection. A session's parts come one at a time.
 */
final class MessageAssembler {

	private @Nullable StringBuilder text;

	private byte @Nullable [] binary;

	private long size;

	/**
	 * Takes a message or the next part of one.
	 * @return the whole message, or {@code null} while parts are missing
	 * @throws SessionLimitExceededException if the message has more bytes than allowed
	 */
	@Nullable WebSocketMessage<?> add(WebSocketMessage<?> part, int maxMessageSize) {
		this.size += EncodedSize.of(part);
		if (this.size > maxMessageSize) {
			throw new SessionLimitExceededException("A message may have at most " + maxMessageSize + " bytes",
					CloseStatus.TOO_BIG_TO_PROCESS);
		}
		if (part instanceof TextMessage textPart) {
			return addText(textPart);
		}
		return addBinary((BinaryMessage) part);
	}

	private @Nullable TextMessage addText(TextMessage part) {
		if (part.isLast() && this.text == null) {
			this.size = 0;
			return part;
		}
		StringBuilder parts = (this.text != null) ? this.text : new StringBuilder();
		parts.append(part.getPayload());
		this.text = part.isLast() ? null : parts;
		if (!part.isLast()) {
			return null;
		}
		this.size = 0;
		return new TextMessage(parts);
	}

	private @Nullable BinaryMessage addBinary(BinaryMessage part) {
		ByteBuffer payload = part.getPayload();
		byte[] before = (this.binary != null) ? this.binary : new byte[0];
		byte[] parts = Arrays.copyOf(before, before.length + payload.remaining());
		payload.duplicate().get(parts, before.length, payload.remaining());
		this.binary = part.isLast() ? null : parts;
		if (!part.isLast()) {
			return null;
		}
		this.size = 0;
		return new BinaryMessage(parts);
	}

}
