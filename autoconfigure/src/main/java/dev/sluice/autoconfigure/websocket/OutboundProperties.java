package dev.sluice.autoconfigure.websocket;

import java.time.Duration;

import dev.sluice.websocket.SendOverflow;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/** Properties of messages to clients. */
class OutboundProperties {

	/**
	 * Longest time that sending a message may take before its session is closed. If not
	 * set, what the application has set for STOMP in sessions of STOMP, or 10s.
	 */
	private @Nullable Duration sendTimeLimit;

	/**
	 * Most bytes that may wait to be sent to a session. Each message counts with its
	 * encoded payload and a few hundred bytes. If not set, what the application has set
	 * for STOMP in sessions of STOMP, or 512KB.
	 */
	private @Nullable DataSize bufferSizeLimit;

	/**
	 * Bytes that wait to be sent, or are on their way, to all sessions together, at which
	 * the session with most of them is closed. If not set, a quarter of the heap.
	 */
	private @Nullable DataSize totalBufferSize;

	/**
	 * Strategy for messages of typed sessions that exceed the send buffer. A handler
	 * waits in sendMessage until there is room, unless the oldest messages are dropped.
	 */
	private SendOverflow overflow = SendOverflow.TERMINATE;

	/**
	 * Whether Tomcat reports a sent message on the thread that has sent it, which takes a
	 * connector of ours, rather than on another thread of its pool. An application that
	 * names the protocol of its connector keeps that.
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
