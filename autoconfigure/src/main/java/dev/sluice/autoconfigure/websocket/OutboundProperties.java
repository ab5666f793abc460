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
 * If not set, that of STOMP for STOMP sessions, or 10s.
 * @param bufferSizeLimit Maximum number of bytes that wait to be sent to a session. Each
 * message counts with its encoded payload and a few hundred bytes. If not set, that of
 * STOMP for STOMP sessions, or 512KB.
 * @param totalBufferSize Number of bytes that wait to be sent to all sessions together at
 * which to close the session with the most. If not set, a quarter of the heap.
 * @param overflow Strategy for messages of typed sessions that exceed the send buffer:
 * "terminate" closes the session, "drop-oldest" drops messages, "catch-up" drops those of
 * topics and sends them later from the history.
 */
record OutboundProperties(@Nullable Duration sendTimeLimit, @Nullable DataSize bufferSizeLimit,
		@Nullable DataSize totalBufferSize, @DefaultValue("terminate") SendOverflow overflow) {
}
