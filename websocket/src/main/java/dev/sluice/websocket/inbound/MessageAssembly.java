package dev.sluice.websocket.inbound;

import dev.sluice.websocket.container.SocketReading;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.handler.SessionLimitExceededException;

/**
 * Incoming messages of one session, whole or in parts, and their maximum sizes.
 */
public final class MessageAssembly {

	/*
	 * "assembler" is used by the delivering thread, of which there is one at a time. Any
	 * thread may set the sizes, which apply from the next part. Attacked by
	 * WholeMessagesTests.
	 */

	private final InboundPressure pressure;

	private final @Nullable SocketReading reading;

	/** Present while parts of a message are missing; used by the delivering thread. */
	private @Nullable MessageAssembler assembler;

	private volatile int maxTextSize;

	private volatile int maxBinarySize;

	/**
	 * Creates the assembly.
	 * @param reading has buffers for messages, or {@code null} if unknown
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

	/** Returns a size of a container, where 0 or less means no limit. */
	public static int orUnlimited(int size) {
		return (size > 0) ? size : Integer.MAX_VALUE;
	}

	/** Returns the maximum size of a text, in bytes. */
	public int maxTextSize() {
		return this.maxTextSize;
	}

	/** Sets the maximum size of a text, in bytes. */
	public void setMaxTextSize(int size) {
		this.maxTextSize = size;
	}

	/** Returns the maximum size of a binary message. */
	public int maxBinarySize() {
		return this.maxBinarySize;
	}

	/** Sets the maximum size of a binary message. */
	public void setMaxBinarySize(int size) {
		this.maxBinarySize = size;
	}

	/**
	 * Adds a message or the next part of one from the container.
	 * @return the whole message, or {@code null} while parts are missing or for a probe,
	 * which no client has sent
	 * @throws SessionLimitExceededException if the message has more bytes than allowed,
	 * or too many empty parts
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
