package dev.sluice.websocket.outbound;

import java.util.concurrent.ExecutionException;

import dev.sluice.aop.spi.BlockingWaits;
import org.jspecify.annotations.Nullable;

/**
 * Permission of threads to wait for a client to receive messages. Threads that deliver
 * the messages of clients or report sent messages must not wait, because other sessions
 * depend on them; of the workers, only a part may.
 *
 * @param waits how many workers may wait
 */
public record SendWaits(BlockingWaits waits) {

	private static final ThreadLocal<@Nullable Boolean> BARRED = new ThreadLocal<>();

	/** Runs a task in which the calling thread must not wait. */
	public static void runBarred(Runnable task) {
		Boolean before = BARRED.get();
		BARRED.set(Boolean.TRUE);
		try {
			task.run();
		}
		finally {
			if (before == null) {
				BARRED.remove();
			}
		}
	}

	/**
	 * Blocks the calling thread in a wait, if allowed.
	 * @return whether it might
	 */
	boolean block(BlockingWaits.Wait wait) throws InterruptedException {
		try {
			return BARRED.get() == null && this.waits.block(wait);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
