package dev.sluice.websocket.container;

import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.util.net.SocketWrapperBase.BlockingMode;
import org.apache.tomcat.util.net.SocketWrapperBase.CompletionCheck;
import org.apache.tomcat.util.net.SocketWrapperBase.CompletionState;
import org.jspecify.annotations.Nullable;

/**
 * Writer of frames to the socket of a Tomcat connection, with the asynchronous I/O of its
 * connectors. The frames of one call are written without anything in between.
 */
final class TomcatFrameWriter {

	/** The longest header of an unmasked frame. */
	private static final int MAX_HEADER = 10;

	private static final int FIN = 0x80;

	private static final int RSV_SHIFT = 4;

	/** Payloads up to this many bytes have their size in the second byte. */
	private static final int MAX_TINY = 125;

	private static final byte SHORT_FOLLOWS = 126;

	private static final byte LONG_FOLLOWS = 127;

	private TomcatFrameWriter() {
	}

	/** Returns the header of a frame, ready to be written. */
	static ByteBuffer header(byte opCode, boolean fin, int rsv, int length) {
		ByteBuffer header = ByteBuffer.allocate(MAX_HEADER);
		header.put((byte) ((fin ? FIN : 0) | rsv << RSV_SHIFT | opCode));
		if (length <= MAX_TINY) {
			header.put((byte) length);
		}
		else if (length <= 0xFFFF) {
			header.put(SHORT_FOLLOWS).putShort((short) length);
		}
		else {
			header.put(LONG_FOLLOWS).putLong(length);
		}
		return header.flip();
	}

	/**
	 * Starts to write, unless something else is being written.
	 * @param check returns whether all has been written
	 * @param written ends as the writing does
	 * @return whether writing has started, or has failed
	 */
	static boolean write(SocketWrapperBase<?> socket, CompletionCheck check, Written written, ByteBuffer... frames) {
		CompletionState state = socket.write(BlockingMode.NON_BLOCK, -1, TimeUnit.MILLISECONDS, null, check, written,
				frames);
		return state != CompletionState.NOT_DONE;
	}

	/** The end of a write. */
	static class Written extends CompletableFuture<@Nullable Void>
			implements CompletionHandler<Long, @Nullable Object> {

		@Override
		public void completed(Long bytes, @Nullable Object attachment) {
			complete(null);
		}

		@Override
		public void failed(Throwable failure, @Nullable Object attachment) {
			completeExceptionally(failure);
		}

	}

}
