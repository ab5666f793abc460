package dev.sluice.websocket.session;

import java.util.concurrent.Executor;

import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.container.HandlingReaders;
import dev.sluice.websocket.journal.SentMessageRecorder;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Collaborators of sessions, in addition to their queues.
 *
 * @param workers threads for operations of the container that block
 * @param control closes, cuts off and pings sessions; none of that waits for a client
 * @param clock the clock by which sessions are too slow, silent or idle
 * @param readers counts the threads of the container that handle messages or wait
 * @param waits how many workers may wait for clients that do not keep up
 * @param observer watches the messages
 * @param principals lets handlers run in the name of their clients
 * @param recorder records what became of sent messages, or {@code null}
 * @param events publishes the events of sessions
 */
public record SessionCollaborators(Executor workers, Executor control, NanoClock clock, HandlingReaders readers,
		BlockingWaits waits, MessageObserver observer, PrincipalContext principals,
		@Nullable SentMessageRecorder recorder, ApplicationEventPublisher events) {

}
