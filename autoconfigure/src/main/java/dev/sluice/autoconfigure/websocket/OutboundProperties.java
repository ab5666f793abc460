package dev.sluice.autoconfigure.websocket;

import java.time.Duration;

import dev.sluice.websocket.SendOverflow;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of messages to clients.
 *
 * @param sendTimeLimit Maximum time to send a message, after which its session is closed.
 * If not set, the limit of STOMP applies to STOMP sessions, and 10s to others.
 * @param bufferSizeLimit Maximum number of bytes that wait to be sent to a session. Each
 * message counts with its encoded payload and a few hundred bytes. If not set, the limit
 * of STOMP applies to STOMP sessions, and 512KB to others.
 * @param totalBufferSize Number of bytes that wait to be sent to all sessions together at
 * which to close the session with the most. If not set, a quarter of the heap.
 * @param overflow Strategy for messages of typed sessions that exceed the send buffer:
 * "terminate" closes the session, "drop-oldest" drops messages, and "catch-up" drops
 * messages of topics and sends them later from the history.
 */
record OutboundProperties(@Nullable Duration sendTimeLimit, @Nullable DataSize bufferSizeLimit,
		@Nullable DataSize totalBufferSize, @DefaultValue("terminate") SendOverflow overflow) {
}
