package dev.sluice.websocket.inbound;

import dev.sluice.websocket.container.SocketReading;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.SessionLimitExceededException;

/**
 * Messages of one session as they come in, whole or in parts, and their greatest sizes.
 */
public final class MessageAssembly {

	private final InboundPressure pressure;

	private final @Nullable SocketReading reading;

	/** There while parts of a message are missing; of the thread that delivers them. */
	private @Nullable MessageAssembler assembler;

	private volatile int maxTextSize;

	private volatile int maxBinarySize;

	/**
	 * Creates the assembly.
	 * @param reading has buffers for messages, or {@code null} where nothing is known of
	 * them
	 */
	public MessageAssembly(InboundPressure pressure, @Nullable SocketReading reading) {
		this.pressure = pressure;
		this.reading = reading;
	}

	/**
	 * Assembles messages from now on, regardless of the size of their parts; called while
	 * the connection is opened.
	 */
	public void begin() {
		if (this.reading != null) {
			this.reading.shrinkBuffers();
		}
	}

	/** Returns a size of a container, for which one of 0 or less is no limit. */
	public static int orUnlimited(int size) {
		return (size > 0) ? size : Integer.MAX_VALUE;
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
	 * @return the whole message, or {@code null} while parts are missing or where no
	 * client has sent the message
	 * @throws SessionLimitExceededException if the message has more bytes than allowed,
	 * or too many parts without any
	 */
	public @Nullable WebSocketMessage<?> add(WebSocketMessage<?> part) {
		if (this.reading != null && this.reading.takeProbe()) {
			return null;
		}
		MessageAssembler begun = this.assembler;
		if (begun == null && !part.isLast() && this.reading != null) {
			this.reading.growBuffers();
		}
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
