package dev.sluice.websocket.inbound;

import java.nio.ByteBuffer;
import java.util.Arrays;

import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.message.EncodedSize;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.SessionLimitExceededException;

/**
 * Assembler of the parts of one message, so that large messages need no large buffers in
 * the container for the life of every connection. A session's parts come one at a time.
 * The cost of a part grows with its own bytes, never with the bytes before it. Empty
 * parts are counted, because a client may send parts without an end.
 */
public final class MessageAssembler {

	/** More than a regular client sends. */
	static final int MAX_EMPTY_PARTS = 64;

	private static final int INITIAL_CAPACITY = 1024;

	private @Nullable StringBuilder text;

	private byte[] binary = new byte[0];

	private int binaryLength;

	private long size;

	private int emptyParts;

	/**
	 * Adds a message or the next part of one.
	 * @return the whole message, or {@code null} while parts are missing
	 * @throws SessionLimitExceededException if the message has more bytes than allowed,
	 * or too many empty parts
	 */
	public @Nullable WebSocketMessage<?> add(WebSocketMessage<?> part, int maxMessageSize) {
		int bytes = EncodedSize.of(part);
		this.size += bytes;
		if (this.size > maxMessageSize) {
			String reason = "A message may have at most " + maxMessageSize + " bytes";
			throw new SessionLimitExceededException(reason, CloseStatuses.tooBig(reason));
		}
		if (bytes == 0 && !part.isLast() && ++this.emptyParts > MAX_EMPTY_PARTS) {
			throw new SessionLimitExceededException("A message may have at most " + MAX_EMPTY_PARTS + " empty parts",
					CloseStatuses.EMPTY_PARTS);
		}
		return (part instanceof TextMessage textPart) ? addText(textPart) : addBinary((BinaryMessage) part);
	}

	/** Returns the bytes of all parts so far. */
	public int size() {
		return (int) this.size;
	}

	private @Nullable TextMessage addText(TextMessage part) {
		StringBuilder parts = this.text;
		if (parts == null) {
			if (part.isLast()) {
				return part;
			}
			parts = new StringBuilder();
			this.text = parts;
		}
		parts.append(part.getPayload());
		return part.isLast() ? new TextMessage(parts) : null;
	}

	private @Nullable BinaryMessage addBinary(BinaryMessage part) {
		ByteBuffer payload = part.getPayload();
		int length = this.binaryLength + payload.remaining();
		if (length > this.binary.length) {
			this.binary = Arrays.copyOf(this.binary, part.isLast() ? length : capacity(length));
		}
		payload.duplicate().get(this.binary, this.binaryLength, payload.remaining());
		this.binaryLength = length;
		if (!part.isLast()) {
			return null;
		}
		return new BinaryMessage((length == this.binary.length) ? this.binary : Arrays.copyOf(this.binary, length));
	}

	/** Doubling makes the total copying of a message linear in its length. */
	private int capacity(int length) {
		return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(INITIAL_CAPACITY, 2L * length));
	}

}
