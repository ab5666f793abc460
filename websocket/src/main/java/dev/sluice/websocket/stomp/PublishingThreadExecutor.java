package dev.sluice.websocket.stomp;

import java.util.ArrayDeque;
import java.util.Deque;

import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.FailureLog;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.task.TaskExecutor;
import org.springframework.util.Assert;

/**
 * The executor of the channel on which messages go out to clients: runs each task on the
 * thread that sends the message. All it does there is to encode the message and to queue
 * it in its session, where its bytes count; it never waits for a client, so a thread of
 * its own would only let unencoded messages pile up before that. Messages sent by one
 * thread stay in order.
 * <p>
 * A message that is sent on the same thread while another one is being sent follows it.
 *
 * @since 0.1.0
 */
public final class PublishingThreadExecutor implements TaskExecutor {

	private final FailureLog failures = new FailureLog(LogFactory.getLog(PublishingThreadExecutor.class),
			NanoClock.system(), "Failed to send");

	/** Tasks that the current thread has yet to run; {@code null} while it runs none. */
	private final ThreadLocal<@Nullable Deque<Runnable>> running = new ThreadLocal<>();

	@Override
	public void execute(Runnable task) {
		Assert.notNull(task, "'task' must not be null");
		Deque<Runnable> following = this.running.get();
		if (following != null) {
			following.add(task);
			return;
		}
		following = new ArrayDeque<>(1);
		this.running.set(following);
		try {
			for (Runnable next = task; next != null; next = following.poll()) {
				MessageTask.run(next, this.failures);
			}
		}
		finally {
			this.running.remove();
		}
	}

}
