package dev.sluice.websocket.session;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * A small number of threads that handle no messages. They are created on demand, end when
 * idle, and do not keep the JVM running. They are closed with the application, so that
 * none of them keeps its class loader; a task that comes later has a thread of its own.
 */
public final class DaemonExecutor implements Executor, AutoCloseable {

	private static final int CONTROL_THREADS = 8;

	private static final int SENDING_THREADS = 64;

	private static final long KEEP_ALIVE_SECONDS = 10;

	/** How long the end of the threads is awaited; those that wait for clients go on. */
	private static final long END_SECONDS = 1;

	private final ThreadPoolExecutor threads;

	private DaemonExecutor(int threads, String prefix) {
		CustomizableThreadFactory factory = new CustomizableThreadFactory(prefix);
		factory.setDaemon(true);
		this.threads = new ThreadPoolExecutor(threads, threads, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), factory, (task, executor) -> factory.newThread(task).start());
		this.threads.allowCoreThreadTimeOut(true);
	}

	/**
	 * Creates threads for operations on sessions outside of their turns: closing, cutting
	 * off, pinging. These operations do not wait for a client.
	 */
	public static DaemonExecutor forControl() {
		return new DaemonExecutor(CONTROL_THREADS, "sluice-control-");
	}

	/**
	 * Creates threads that wait for clients if the container cannot send otherwise.
	 */
	public static DaemonExecutor forSending() {
		return new DaemonExecutor(SENDING_THREADS, "sluice-sending-");
	}

	@Override
	public void execute(Runnable task) {
		this.threads.execute(task);
	}

	/** Ends the threads once they have run their tasks. */
	@Override
	public void close() {
		this.threads.shutdown();
		try {
			this.threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
