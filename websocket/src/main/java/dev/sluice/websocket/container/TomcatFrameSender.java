package dev.sluice.websocket.container;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.sluice.websocket.message.EncodedSize;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendHandler;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.util.net.SocketWrapperBase.CompletionCheck;
import org.apache.tomcat.util.net.SocketWrapperBase.CompletionHandlerCall;
import org.apache.tomcat.util.net.SocketWrapperBase.CompletionState;
import org.apache.tomcat.websocket.Constants;
import org.apache.tomcat.websocket.MessagePart;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

/**
 * Sender that writes each message as one frame, for which no thread waits. If a message
 * is written immediately, the sender detects its end immediately, while Tomcat has a pool
 * thread report it. Parts of messages, and large texts that are compressed, are left to
 * Tomcat.
 */
final class TomcatFrameSender implements FrameSender {

	/*
	 * Tomcat's remote is given each message as well. The remote rejects a message that
	 * collides with one that the application sends past this class, records the use of
	 * the connection, and applies the extensions. TomcatControlChannel intercepts its
	 * output, which is written here. The remote is called for one message at a time;
	 * application threads that send past this class are recognized by the payload.
	 * Attacked by WholeMessagesTests and NativeSessionsTests.
	 */

	/**
	 * Texts with more characters are encoded in pieces, so that a client that does not
	 * read costs no more than the buffer in which Tomcat would encode.
	 */
	private static final int MAX_WHOLE = 4 * 1024;

	/**
	 * Each piece is written on the stack of the previous one, while the socket accepts
	 * them.
	 */
	private static final int MAX_PIECES = 128;

	/**
	 * At intervals, a report is left to another thread, so that messages of other senders
	 * do not occupy one sender for long.
	 */
	private static final int MAX_PROMPT = 256;

	private static final long BUSY_MILLIS = 5;

	/** The message that the calling thread has passed to Tomcat. */
	private static final ThreadLocal<@Nullable Outgoing> GIVEN = new ThreadLocal<>();

	private final Session session;

	private final RemoteEndpoint.Async remote;

	private final FrameSender container;

	private final SocketWrapperBase<?> socket;

	private final boolean compressed;

	private final Consumer<Throwable> onFailure;

	/* Passed from one call to the next. */

	/** Whether a fragmented message has begun. */
	private boolean fragmented;

	private int messages;

	/**
	 * Creates the sender.
	 * @param container sends the messages left to it
	 * @param compressed whether an extension compresses messages
	 * @param onFailure called for each message that could not be written
	 */
	TomcatFrameSender(Session session, FrameSender container, SocketWrapperBase<?> socket, boolean compressed,
			Consumer<Throwable> onFailure) {
		this.session = session;
		this.remote = session.getAsyncRemote();
		this.container = container;
		this.socket = socket;
		this.compressed = compressed;
		this.onFailure = onFailure;
	}

	@Override
	public CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Runnable begun) throws Exception {
		boolean whole = !this.fragmented && message.isLast();
		this.fragmented = !message.isLast();
		if (!whole || this.compressed && isLargeText(message)) {
			return this.container.send(message, begun);
		}
		if (!this.session.isOpen()) {
			throw new IllegalStateException("The connection has been closed");
		}
		begun.run();
		Outgoing outgoing = new Outgoing(message, this.onFailure);
		Outgoing outer = GIVEN.get();
		GIVEN.set(outgoing);
		try {
			this.remote.sendBinary(outgoing.payload, outgoing);
		}
		finally {
			GIVEN.set(outer);
		}
		return (++this.messages % MAX_PROMPT == 0) ? toldByPool(outgoing) : outgoing;
	}

	private static boolean isLargeText(WebSocketMessage<?> message) {
		return message instanceof TextMessage text && text.getPayload().length() > MAX_WHOLE;
	}

	private CompletableFuture<@Nullable Void> toldByPool(CompletableFuture<@Nullable Void> written) {
		CompletableFuture<@Nullable Void> told = new CompletableFuture<>();
		written.whenComplete((nothing, failure) -> {
			Runnable tell = () -> {
				if (failure != null) {
					told.completeExceptionally(failure);
				}
				else {
					told.complete(null);
				}
			};
			try {
				this.socket.execute(tell);
			}
			catch (RejectedExecutionException ex) {
				tell.run();
			}
		});
		return told;
	}

	/**
	 * Returns whether Tomcat is about to write the message that the calling thread has
	 * passed to it here.
	 */
	static boolean isGiven(MessagePart part) {
		Outgoing outgoing = GIVEN.get();
		return outgoing != null && outgoing.payload == part.getPayload();
	}

	/**
	 * Writes the message that was passed to Tomcat.
	 * @param parts the output of the extensions
	 */
	void write(List<MessagePart> parts) {
		Outgoing outgoing = Objects.requireNonNull(GIVEN.get());
		if (outgoing.pieces != null) {
			write(outgoing, outgoing.pieces, outgoing.pieces.begin());
		}
		else {
			write(outgoing, SocketWrapperBase.COMPLETE_WRITE_WITH_COMPLETION, frames(outgoing.opCode, parts));
		}
	}

	/** A ping that the application sends past this class may be in flight. */
	private void write(Outgoing outgoing, CompletionCheck check, ByteBuffer[] frames) {
		if (!outgoing.isDone() && !TomcatFrameWriter.write(this.socket, check, outgoing, frames)) {
			CompletableFuture.delayedExecutor(BUSY_MILLIS, TimeUnit.MILLISECONDS, this.socket::execute)
				.execute(() -> write(outgoing, check, frames));
		}
	}

	private static ByteBuffer[] frames(byte opCode, List<MessagePart> parts) {
		List<ByteBuffer> frames = new ArrayList<>();
		byte next = opCode;
		for (MessagePart part : parts) {
			ByteBuffer payload = part.getPayload();
			frames.add(TomcatFrameWriter.header(next, part.isFin(), part.getRsv(), payload.remaining()));
			frames.add(payload);
			next = Constants.OPCODE_CONTINUATION;
		}
		return frames.toArray(ByteBuffer[]::new);
	}

	/** A message on its way. */
	private static final class Outgoing extends TomcatFrameWriter.Written implements SendHandler {

		final byte opCode;

		/** What Tomcat is given. */
		final ByteBuffer payload;

		/** Present if Tomcat receives nothing of a text. */
		final @Nullable Pieces pieces;

		private final Consumer<Throwable> onFailure;

		Outgoing(WebSocketMessage<?> message, Consumer<Throwable> onFailure) {
			this.onFailure = onFailure;
			if (message instanceof TextMessage text) {
				this.opCode = Constants.OPCODE_TEXT;
				this.pieces = isLargeText(message) ? new Pieces(text.getPayload()) : null;
				this.payload = (this.pieces != null) ? ByteBuffer.allocate(0)
						: ByteBuffer.wrap(text.getPayload().getBytes(StandardCharsets.UTF_8));
			}
			else {
				this.opCode = Constants.OPCODE_BINARY;
				this.pieces = null;
				this.payload = ((BinaryMessage) message).getPayload().duplicate();
			}
		}

		/**
		 * Tomcat, which writes nothing, reports immediately, including failures of the
		 * extensions.
		 */
		@Override
		public void onResult(SendResult result) {
			if (!result.isOK()) {
				failed(result.getException(), null);
			}
		}

		@Override
		public void failed(Throwable failure, @Nullable Object attachment) {
			this.onFailure.accept(failure);
			super.failed(failure, attachment);
		}

	}

	/** A text that is encoded in pieces, while one frame of it is written. */
	private static final class Pieces implements CompletionCheck {

		private final String text;

		private final int size;

		private int encoded;

		Pieces(String text) {
			this.text = text;
			this.size = Math.max(MAX_WHOLE, text.length() / MAX_PIECES + 1);
		}

		/** Returns the header of the frame and the first piece. */
		ByteBuffer[] begin() {
			int length = EncodedSize.of(this.text);
			return new ByteBuffer[] { TomcatFrameWriter.header(Constants.OPCODE_TEXT, true, 0, length), next() };
		}

		private ByteBuffer next() {
			int end = Math.min(this.encoded + this.size, this.text.length());
			if (end < this.text.length() && Character.isHighSurrogate(this.text.charAt(end - 1))) {
				end--;
			}
			String piece = this.text.substring(this.encoded, end);
			this.encoded = end;
			return ByteBuffer.wrap(piece.getBytes(StandardCharsets.UTF_8));
		}

		@Override
		public CompletionHandlerCall callHandler(CompletionState state, ByteBuffer[] buffers, int offset, int length) {
			int last = offset + length - 1;
			if (!buffers[last].hasRemaining() && this.encoded < this.text.length()) {
				buffers[last] = next();
			}
			return buffers[last].hasRemaining() ? CompletionHandlerCall.CONTINUE : CompletionHandlerCall.DONE;
		}

	}

}
