package dev.sluice.websocket.container;

import java.nio.ByteBuffer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.websocket.Constants;
import org.apache.tomcat.websocket.WsSession;
import org.jspecify.annotations.Nullable;

/**
 * Buffers in which Tomcat gathers the messages of one connection, and which it keeps as
 * long as the connection. If messages are assembled elsewhere, the buffers are small
 * until one of them is larger.
 */
final class TomcatMessageBuffers {

	/*
	 * When Tomcat reads the header of a message, it allocates a new buffer if the size of
	 * its buffer differs from the size that the session has set. A session with a larger
	 * size therefore has a small size while a header is read, and its own size before and
	 * after. Tomcat allocates its first buffers before it opens the session. Two empty
	 * messages, the probes, are therefore put in front of the received data; the assembly
	 * of messages removes them. The thread that opens the connection uses this object
	 * first, then the threads that read. Tomcat's lock of the socket orders these
	 * threads. Attacked by MessageBuffersTests.
	 */

	private static final Log logger = LogFactory.getLog(TomcatMessageBuffers.class);

	/** More than most messages have. */
	private static final int SMALL = 1024;

	/** An empty text and an empty binary message of a client. */
	private static final byte[] PROBES = { (byte) 0x81, (byte) 0x80, 0, 0, 0, 0, (byte) 0x82, (byte) 0x80, 0, 0, 0, 0 };

	/** Present while the buffers are to be small. */
	private @Nullable WsSession session;

	/** The size that the application has set, while a header is read. */
	private int set;

	/** The number of probes still expected. */
	private int probes;

	/** Keeps the buffers small. */
	void shrink(WsSession session) {
		this.session = session;
	}

	/** Sets the buffers to the size that the application has set, from now on. */
	void grow() {
		this.session = null;
	}

	/** Makes Tomcat apply the sizes immediately; called when the connection is open. */
	void apply(SocketWrapperBase<?> socket) {
		if (this.session != null && socket.getSocketBufferHandler().isReadBufferEmpty()) {
			this.probes = 2;
			socket.unRead(ByteBuffer.wrap(PROBES));
		}
	}

	/** Returns whether the next message is a probe. */
	boolean isProbing() {
		return this.probes > 0;
	}

	/** Takes the delivered message, if it is a probe. */
	boolean takeProbe() {
		if (this.probes == 0) {
			return false;
		}
		this.probes--;
		return true;
	}

	/** Called before the header of a frame is read. */
	void beginHeader(byte opCode) {
		WsSession session = this.session;
		if (session == null) {
			return;
		}
		try {
			int set = size(session, opCode);
			if (set > SMALL) {
				setSize(session, opCode, SMALL);
				this.set = set;
			}
		}
		catch (IllegalStateException ex) {
			logger.debug("The session has been closed", ex);
		}
	}

	/** Called when the header of a frame has been read. */
	void endHeader(byte opCode) {
		WsSession session = this.session;
		int set = this.set;
		if (session == null || set == 0) {
			return;
		}
		this.set = 0;
		try {
			if (size(session, opCode) == SMALL) {
				setSize(session, opCode, set);
			}
		}
		catch (IllegalStateException ex) {
			logger.debug("The session has been closed", ex);
		}
	}

	/** Zero for a frame that does not begin a message. */
	private static int size(WsSession session, byte opCode) {
		return switch (opCode) {
			case Constants.OPCODE_TEXT -> session.getMaxTextMessageBufferSize();
			case Constants.OPCODE_BINARY -> session.getMaxBinaryMessageBufferSize();
			default -> 0;
		};
	}

	private static void setSize(WsSession session, byte opCode, int size) {
		if (opCode == Constants.OPCODE_TEXT) {
			session.setMaxTextMessageBufferSize(size);
		}
		else {
			session.setMaxBinaryMessageBufferSize(size);
		}
	}

}
