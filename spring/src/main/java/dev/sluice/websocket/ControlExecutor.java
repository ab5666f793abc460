package dev.sluice.websocket;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Threads for what is done about sessions and not in their turn: closing, cutting off,
 * pinging. They are few, since none of it waits for a handler or a client; they are made
 * on demand, go when there is nothing to do, and keep no virtual machine running.
 */
final class ControlExecutor implements Executor {

	private static final int THREADS = 8;

	private static final long KEEP_ALIVE_SECONDS = 10;

	private final ThreadPoolExecutor threads;

	ControlExecutor() {
		CustomizableThreadFactory factory = new CustomizableThreadFactory("sluice-control-");
		factory.setDaemon(true);
		this.threads = new ThreadPoolExecutor(THREADS, THREADS, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), factory);
		this.threads.allowCoreThreadTimeOut(true);
	}

	@Override
	public void execute(Runnable task) {
		this.threads.execute(task);
	}

}
