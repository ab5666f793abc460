package dev.sluice.autoconfigure.websocket;

import java.time.Duration;

import dev.sluice.websocket.SendOverflow;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/** Properties of messages to clients. */
class OutboundProperties {

	/**
	 * Maximum time to send a message, after which its session is closed. If not set, that
	 * of STOMP for STOMP sessions, or 10s.
	 */
	private @Nullable Duration sendTimeLimit;

	/**
	 * Maximum number of bytes that wait to be sent to a session. Each message counts with
	 * its encoded payload and a few hundred bytes. If not set, that of STOMP for STOMP
	 * sessions, or 512KB.
	 */
	private @Nullable DataSize bufferSizeLimit;

	/**
	 * Number of bytes that wait to be sent to all sessions together at which to close the
	 * session with the most. If not set, a quarter of the heap.
	 */
	private @Nullable DataSize totalBufferSize;

	/**
	 * Strategy for messages of typed sessions that exceed the send buffer.
	 */
	private SendOverflow overflow = SendOverflow.TERMINATE;

	/**
	 * Whether Tomcat reports completion on the sending thread, with a connector of
	 * Sluice. Unused if the application names the protocol of its connector.
	 */
	private boolean reportOnSendingThread = true;

	public @Nullable DataSize getTotalBufferSize() {
		return this.totalBufferSize;
	}

	public void setTotalBufferSize(@Nullable DataSize totalBufferSize) {
		this.totalBufferSize = totalBufferSize;
	}

	public SendOverflow getOverflow() {
		return this.overflow;
	}

	public void setOverflow(SendOverflow overflow) {
		this.overflow = overflow;
	}

	public @Nullable Duration getSendTimeLimit() {
		return this.sendTimeLimit;
	}

	public void setSendTimeLimit(@Nullable Duration sendTimeLimit) {
		this.sendTimeLimit = sendTimeLimit;
	}

	public @Nullable DataSize getBufferSizeLimit() {
		return this.bufferSizeLimit;
	}

	public void setBufferSizeLimit(@Nullable DataSize bufferSizeLimit) {
		this.bufferSizeLimit = bufferSizeLimit;
	}

	public boolean isReportOnSendingThread() {
		return this.reportOnSendingThread;
	}

	public void setReportOnSendingThread(boolean reportOnSendingThread) {
		this.reportOnSendingThread = reportOnSendingThread;
	}

}
