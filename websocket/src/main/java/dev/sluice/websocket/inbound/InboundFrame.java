package dev.sluice.websocket.inbound;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * A client's frame that the thread of the container reads, and that waits until the tasks
 * that it causes are complete.
 */
public final class InboundFrame extends WaitingMessage {

	private final Supplier<@Nullable CompletableFuture<?>> reading;

	/**
	 * Creates the frame.
	 * @param reading reads the frame; supplies the end of its tasks, or {@code null} for
	 * none
	 */
	public InboundFrame(int cost, Supplier<@Nullable CompletableFuture<?>> reading) {
		super(cost);
		this.reading = reading;
	}

	/**
	 * Reads the frame.
	 * @return the end of its tasks, or {@code null} for none
	 */
	public @Nullable CompletableFuture<?> read() {
		return this.reading.get();
	}

}
