package dev.sluice.websocket.outbound;

import java.util.concurrent.Executor;

import dev.sluice.time.NanoClock;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.container.HandlingReaders;
import dev.sluice.websocket.journal.SentMessageRecorder;
import dev.sluice.websocket.message.TotalBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Resources that the outbound sides of all sessions share.
 *
 * @param workers wait where the container cannot send otherwise
 * @param control closes sessions; nothing there waits for a client
 * @param clock the clock by which a message is too slow
 * @param overflow strategy for messages for which there is no room
 * @param total bounds the waiting bytes of all sessions
 * @param waits which threads may wait for room
 * @param readers bounds how many threads of the container handle messages or wait
 * @param observer watches the messages
 * @param recorder records what became of the messages, or {@code null}
 */
public record OutboundResources(Executor workers, Executor control, NanoClock clock, SendOverflow overflow,
		TotalBuffer<?> total, SendWaits waits, HandlingReaders readers, MessageObserver observer,
		@Nullable SentMessageRecorder recorder) {

}
