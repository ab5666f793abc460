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
 * @param workers wait if the container cannot send otherwise
 * @param control closes sessions; its tasks do not wait for a client
 * @param clock the clock for the time limit of a message
 * @param overflow strategy for messages for which there is no room
 * @param total bounds the waiting bytes of all sessions
 * @param waits determines which threads may wait for room
 * @param readers bounds how many threads of the container handle messages or wait
 * @param observer watches the messages
 * @param cutOffs logs the clients that are cut off
 * @param recorder records the outcomes of messages, or {@code null}
 */
public record OutboundResources(Executor workers, Executor control, NanoClock clock, SendOverflow overflow,
		TotalBuffer<?> total, SendWaits waits, HandlingReaders readers, MessageObserver observer, CutOffLog cutOffs,
		@Nullable SentMessageRecorder recorder) {

}
