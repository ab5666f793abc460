package dev.sluice.websocket.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import dev.sluice.websocket.container.TomcatFrameWriter.Written;
import jakarta.websocket.Extension;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.websocket.Constants;
import org.apache.tomcat.websocket.MessagePart;
import org.apache.tomcat.websocket.Transformation;
import org.apache.tomcat.websocket.TransformationResult;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.adapter.standard.StandardWebSocketSession;

/**
 * Channel that sends control frames by the asynchronous I/O of Tomcat's connectors. As
 * the first of the connection's transformations it intercepts the pongs and the close
 * frame, which Tomcat would write while the thread that reads the socket waits. It also
 * holds back frames that are not to be read yet.
 */
final class TomcatControlChannel extends ControlChannel implements Transformation {

	/*
	 * The owner sends one frame at a time, and control frames in its turn, so that frames
	 * do not collide. The close frame alone comes from two sides, the owner's and
	 * Tomcat's: the first to set "closeFrame" writes it, and the other waits for that.
	 * Tomcat's thread waits for a second at most, and not at all for a client that is
	 * known to stall. Attacked by ControlFramesTests and ClientsHostileTests.
	 */

	private static final int MAX_WAIT_MILLIS = 1_000;

	private static final ByteBuffer NO_ROOM = ByteBuffer.allocate(0);

	private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> closeFrame = new AtomicReference<>();

	private final TomcatReading reading;

	private @Nullable SocketWrapperBase<?> socket;

	private @Nullable Transformation next;

	private volatile @Nullable Owner owner;

	private volatile @Nullable TomcatFrameSender sender;

	/** Whether parts of a message are missing; used by the reading thread. */
	private boolean continues;

	/**
	 * Whether more of a frame has arrived than Tomcat had room for; used by the reading
	 * thread.
	 */
	private boolean overflows;

	TomcatControlChannel(TomcatReading reading) {
		this.reading = reading;
	}

	@Override
	TomcatReading reading() {
		return this.reading;
	}

	/** Called once, before the connection is opened. */
	void setSocket(SocketWrapperBase<?> socket) {
		this.socket = socket;
	}

	/** Called when the connection is open. */
	void opened() {
		this.reading.buffers().apply(socket());
	}

	/** Returns whether the connector has asynchronous I/O. */
	@Override
	public boolean isAvailable() {
		return socket().hasAsyncIO();
	}

	private SocketWrapperBase<?> socket() {
		SocketWrapperBase<?> socket = this.socket;
		Assert.state(socket != null, "There is no socket yet");
		return socket;
	}

	@Override
	public void connect(Owner owner) {
		this.owner = owner;
	}

	@Override
	public CompletableFuture<@Nullable Void> ping(ByteBuffer payload) {
		return write(Constants.OPCODE_PING, payload);
	}

	@Override
	public CompletableFuture<@Nullable Void> pong(ByteBuffer payload) {
		return write(Constants.OPCODE_PONG, payload);
	}

	@Override
	public CompletableFuture<@Nullable Void> close(CloseStatus status, CompletableFuture<?> idle) {
		String reason = status.getReason();
		byte[] text = (reason != null) ? reason.getBytes(StandardCharsets.UTF_8) : new byte[0];
		int code = (status.getCode() != CloseStatus.NO_CLOSE_FRAME.getCode()) ? status.getCode()
				: CloseStatus.PROTOCOL_ERROR.getCode();
		return close(ByteBuffer.allocate(Short.BYTES + text.length).putShort((short) code).put(text).flip(), idle);
	}

	private CompletableFuture<@Nullable Void> close(ByteBuffer payload, CompletableFuture<?> idle) {
		CompletableFuture<@Nullable Void> frame = new CompletableFuture<>();
		CompletableFuture<@Nullable Void> present = this.closeFrame.compareAndExchange(null, frame);
		if (present != null) {
			return present;
		}
		idle.thenCompose((nothing) -> write(Constants.OPCODE_CLOSE, payload)).whenComplete((nothing, failure) -> {
			if (failure != null) {
				frame.completeExceptionally(failure);
			}
			else {
				frame.complete(null);
			}
		});
		return frame;
	}

	@Override
	public boolean isReader() {
		return this.reading.isReader();
	}

	@Override
	public void afterReading(Runnable task) {
		socket().execute(task);
	}

	@Override
	FrameSender sender(StandardWebSocketSession session, FrameSender container, Consumer<Throwable> onFailure) {
		boolean compressed = next().getExtensionResponse() != null;
		TomcatFrameSender sender = new TomcatFrameSender(session.getNativeSession(), container, socket(), compressed,
				onFailure);
		this.sender = sender;
		return sender;
	}

	private CompletableFuture<@Nullable Void> write(byte opCode, ByteBuffer payload) {
		Written written = new Written();
		ByteBuffer header = TomcatFrameWriter.header(opCode, true, 0, payload.remaining());
		if (!TomcatFrameWriter.write(socket(), SocketWrapperBase.COMPLETE_WRITE_WITH_COMPLETION, written, header,
				payload.duplicate())) {
			written.failed(new IOException("Another frame is being written"), null);
		}
		return written;
	}

	@Override
	public List<MessagePart> sendMessagePart(List<MessagePart> parts) throws IOException {
		Owner owner = this.owner;
		MessagePart part = parts.get(0);
		if (owner != null && part.getOpCode() == Constants.OPCODE_PONG) {
			owner.pinged(copy(part.getPayload()));
			return List.of();
		}
		if (owner != null && part.getOpCode() == Constants.OPCODE_CLOSE) {
			await(close(copy(part.getPayload()), owner.closing()));
			return List.of();
		}
		TomcatFrameSender sender = this.sender;
		if (sender != null && TomcatFrameSender.isGiven(part)) {
			sender.write(next().sendMessagePart(parts));
			return List.of();
		}
		return next().sendMessagePart(parts);
	}

	/** Tomcat may reuse the payload's buffer as soon as it considers it written. */
	private static ByteBuffer copy(ByteBuffer payload) {
		return ByteBuffer.allocate(payload.remaining()).put(payload.duplicate()).flip();
	}

	/** If this fails, Tomcat closes the socket immediately. */
	private static void await(CompletableFuture<?> written) throws IOException {
		try {
			written.get(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IOException("The close frame could not be written", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException(ex);
		}
	}

	private Transformation next() {
		Transformation next = this.next;
		Assert.state(next != null, "There is no transformation yet");
		return next;
	}

	@Override
	public void setNext(Transformation transformation) {
		if (this.next != null) {
			this.next.setNext(transformation);
		}
		else {
			this.next = transformation;
		}
	}

	@Override
	public boolean validateRsvBits(int bits) {
		return next().validateRsvBits(bits);
	}

	@Override
	public Extension getExtensionResponse() {
		return next().getExtensionResponse();
	}

	/** Tomcat treats a frame that is held back as not received yet. */
	@Override
	public TransformationResult getMoreData(byte opCode, boolean fin, int rsv, ByteBuffer dest) throws IOException {
		this.reading.buffers().endHeader(opCode);
		if (holdsBack(opCode, fin, rsv)) {
			return TransformationResult.UNDERFLOW;
		}
		if (opCode <= Constants.OPCODE_BINARY) {
			this.continues = !fin;
		}
		TransformationResult result = next().getMoreData(opCode, fin, rsv, dest);
		this.overflows = result == TransformationResult.OVERFLOW;
		return result;
	}

	/**
	 * A frame that an extension has read and Tomcat had no room for is not held back:
	 * Tomcat would not request it when reading is resumed, because its own buffer is
	 * empty.
	 */
	private boolean holdsBack(byte opCode, boolean fin, int rsv) throws IOException {
		return switch (opCode) {
			case Constants.OPCODE_PING, Constants.OPCODE_PONG -> false;
			case Constants.OPCODE_CLOSE -> holdsBackClose(fin, rsv);
			default -> !this.overflows && !this.reading.buffers().isProbing() && this.reading.holdsBack()
					&& !isEmpty(opCode, fin, rsv);
		};
	}

	/**
	 * When reading is resumed, Tomcat processes a frame again only if it has bytes, and a
	 * close frame without a payload leaves none. So it is given one, which it never
	 * takes, as nothing is read behind a close. Before a message no such byte can be, so
	 * one without a payload is not held back, but waits in its queue.
	 */
	private boolean holdsBackClose(boolean fin, int rsv) throws IOException {
		Owner owner = this.owner;
		boolean held = this.reading.holdsBack() || owner != null && owner.holdsBackClose();
		if (held && isEmpty(Constants.OPCODE_CLOSE, fin, rsv)
				&& socket().getSocketBufferHandler().isReadBufferEmpty()) {
			socket().unRead(ByteBuffer.allocate(1));
		}
		return held;
	}

	/**
	 * Returns whether the remaining frame is empty. For a compressed message, the next
	 * transformation cannot be checked without consuming part of it.
	 */
	private boolean isEmpty(byte opCode, boolean fin, int rsv) throws IOException {
		boolean compressed = rsv != 0
				|| opCode == Constants.OPCODE_CONTINUATION && next().getExtensionResponse() != null;
		return !compressed && next().getMoreData(opCode, fin, rsv, NO_ROOM) == TransformationResult.END_OF_FRAME;
	}

	/**
	 * Tomcat closes the connection for an invalid frame without calling back.
	 */
	@Override
	public boolean validateRsv(int rsv, byte opCode) {
		boolean valid = next().validateRsv(rsv, opCode);
		Owner owner = this.owner;
		if (owner != null && (!valid || !mayFollow(opCode))) {
			owner.awaitHandled();
		}
		this.reading.buffers().beginHeader(opCode);
		return valid;
	}

	private boolean mayFollow(byte opCode) {
		return switch (opCode) {
			case Constants.OPCODE_CONTINUATION -> this.continues;
			case Constants.OPCODE_TEXT, Constants.OPCODE_BINARY -> !this.continues;
			case Constants.OPCODE_CLOSE, Constants.OPCODE_PING, Constants.OPCODE_PONG -> true;
			default -> false;
		};
	}

	@Override
	public void close() {
		next().close();
	}

}
