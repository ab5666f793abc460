package dev.sluice.autoconfigure.websocket;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of messages from clients.
 *
 * @param highWaterMark Number of waiting messages of a session at which to stop reading
 * from its socket, where messages may pass others. If not set, 128, or half of the queue
 * capacity if that is less and a full queue rejects messages.
 * @param lowWaterMark Number of waiting messages of a session at which to resume reading
 * from its socket. If not set, a quarter of the high-water mark.
 * @param bufferSizeLimit Number of waiting bytes of a session at which to stop reading
 * from its socket. Each message counts with its payload and a few hundred bytes.
 * @param totalBufferSize Number of waiting bytes of all sessions together at which to
 * close the session with the most. If not set, a quarter of the heap.
 * @param fallback Action to take with a session that sends too much when the container
 * cannot stop reading.
 */
record InboundProperties(@Nullable Integer highWaterMark, @Nullable Integer lowWaterMark,
		@DefaultValue("1MB") DataSize bufferSizeLimit, @Nullable DataSize totalBufferSize,
		@DefaultValue("block") Fallback fallback) {

	/** Action to take if the container cannot stop reading. */
	enum Fallback {

		/** The reading thread waits until messages have been handled. */
		BLOCK,

		/** Close the session with 1013. */
		CLOSE

	}

}
