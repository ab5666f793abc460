package dev.sluice.websocket.session;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * A small number of threads that handle no messages. They are created on demand, end when
 * idle, and do not keep the JVM running.
 */
public final class DaemonExecutor {

	private static final int CONTROL_THREADS = 8;

	private static final int SENDING_THREADS = 64;

	private static final long KEEP_ALIVE_SECONDS = 10;

	private DaemonExecutor() {
	}

	private static Executor withThreads(int threads, String prefix) {
		CustomizableThreadFactory factory = new CustomizableThreadFactory(prefix);
		factory.setDaemon(true);
		ThreadPoolExecutor executor = new ThreadPoolExecutor(threads, threads, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), factory);
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	/**
	 * Creates threads for operations on sessions outside of their turns: closing, cutting
	 * off, pinging. These operations do not wait for a client.
	 */
	public static Executor forControl() {
		return withThreads(CONTROL_THREADS, "sluice-control-");
	}

	/**
	 * Creates threads that wait for clients if the container cannot send otherwise.
	 */
	public static Executor forSending() {
		return withThreads(SENDING_THREADS, "sluice-sending-");
	}

}
