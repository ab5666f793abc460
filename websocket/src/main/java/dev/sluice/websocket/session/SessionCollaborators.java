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
 * @param control closes, cuts off and pings sessions; its tasks do not wait for a client
 * @param clock the clock for the time limits of sessions
 * @param readers counts the threads of the container that handle messages or wait
 * @param waits bounds the workers that may wait for slow clients
 * @param observer watches the messages
 * @param principals runs handlers in the name of their clients
 * @param recorder records the outcomes of messages, or {@code null}
 * @param events publishes the events of sessions
 */
public record SessionCollaborators(Executor workers, Executor control, NanoClock clock, HandlingReaders readers,
		BlockingWaits waits, MessageObserver observer, PrincipalContext principals,
		@Nullable SentMessageRecorder recorder, ApplicationEventPublisher events) {

}
