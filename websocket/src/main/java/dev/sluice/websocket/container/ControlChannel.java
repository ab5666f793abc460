package dev.sluice.websocket.container;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.adapter.standard.StandardWebSocketSession;

/**
 * Channel for the control frames of one connection, for which no thread waits. It reports
 * control frames that the container would otherwise send on a waiting thread. Frames are
 * sent while nothing else is being sent.
 */
public abstract class ControlChannel {

	private static final ThreadLocal<ControlChannel> OPENING = new ThreadLocal<>();

	/**
	 * Returns the channel of the connection that the calling thread opens, or
	 * {@code null} if its container does not support one.
	 */
	public static @Nullable ControlChannel opening() {
		return OPENING.get();
	}

	/**
	 * Opens the connection. The channel is available to objects that are created in the
	 * meantime.
	 */
	final void open(Runnable opening) {
		OPENING.set(this);
		try {
			opening.run();
		}
		finally {
			OPENING.remove();
		}
	}

	/** Returns the reading of the connection. */
	abstract SocketReading reading();

	/**
	 * Returns whether the container can send control frames without a waiting thread.
	 */
	public abstract boolean isAvailable();

	/**
	 * Returns the sender of the messages of the connection.
	 * @param container sends messages that the channel leaves to the container
	 * @param onFailure called for each message that could not be written
	 */
	abstract FrameSender sender(StandardWebSocketSession session, FrameSender container, Consumer<Throwable> onFailure);

	/**
	 * Sets the owner that sends in order; until then the container handles control frames
	 * itself.
	 */
	public abstract void connect(Owner owner);

	public abstract CompletableFuture<@Nullable Void> ping(ByteBuffer payload);

	public abstract CompletableFuture<@Nullable Void> pong(ByteBuffer payload);

	/**
	 * Sends the close frame, once. The container then sends none.
	 * @param idle ends when nothing else is being sent
	 */
	public abstract CompletableFuture<@Nullable Void> close(CloseStatus status, CompletableFuture<?> idle);

	/** Returns whether the calling thread reads the client's messages. */
	public abstract boolean isReader();

	/**
	 * Runs a task once the container has had a thread to process the data received
	 * before.
	 */
	public abstract void afterReading(Runnable task);

	/** Sender of the other frames of the connection. */
	public interface Owner {

		/** Called on the container's thread; answers when the turn comes. */
		void pinged(ByteBuffer payload);

		/**
		 * Called on the container's thread before the client's close frame is read.
		 * @return whether to call again later, because reading has been suspended
		 */
		boolean holdsBackClose();

		/**
		 * Called on the container's thread before the container closes because of an
		 * invalid frame. Waits until earlier messages are handled and answered, for a
		 * bounded time and only while few threads wait.
		 */
		void awaitHandled();

		/**
		 * Called before the container closes; sends nothing from then on.
		 * @return ends when nothing is being sent; fails if that may take long
		 */
		CompletableFuture<?> closing();

	}

}
