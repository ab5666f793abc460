package dev.sluice.websocket.inbound;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.SessionLimitExceededException;

/**
 * Messages of one session as they come in, whole or in parts, and their greatest sizes.
 */
public final class MessageAssembly {

	private final InboundPressure pressure;

	/** There while parts of a message are missing; of the thread that delivers them. */
	private @Nullable MessageAssembler assembler;

	private volatile int maxTextSize;

	private volatile int maxBinarySize;

	public MessageAssembly(InboundPressure pressure) {
		this.pressure = pressure;
	}

	/** Returns the greatest size of a text, in bytes. */
	public int maxTextSize() {
		return this.maxTextSize;
	}

	/** Sets the greatest size of a text, in bytes. */
	public void setMaxTextSize(int size) {
		this.maxTextSize = size;
	}

	/** Returns the greatest size of a binary message. */
	public int maxBinarySize() {
		return this.maxBinarySize;
	}

	/** Sets the greatest size of a binary message. */
	public void setMaxBinarySize(int size) {
		this.maxBinarySize = size;
	}

	/**
	 * Takes a message or the next part of one from the container.
	 * @return the whole message, or {@code null} while parts are missing
	 * @throws SessionLimitExceededException if the message has more bytes than allowed,
	 * or too many parts without any
	 */
	public @Nullable WebSocketMessage<?> add(WebSocketMessage<?> part) {
		MessageAssembler begun = this.assembler;
		MessageAssembler parts = (begun != null) ? begun : new MessageAssembler();
		this.assembler = part.isLast() ? null : parts;
		WebSocketMessage<?> whole;
		try {
			whole = parts.add(part, (part instanceof TextMessage) ? this.maxTextSize : this.maxBinarySize);
		}
		catch (SessionLimitExceededException ex) {
			this.assembler = null;
			this.pressure.incomplete(0);
			throw ex;
		}
		if (begun != null || !part.isLast()) {
			this.pressure.incomplete(part.isLast() ? 0 : parts.size());
		}
		return whole;
	}

}
