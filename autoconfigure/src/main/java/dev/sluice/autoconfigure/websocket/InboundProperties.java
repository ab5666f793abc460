package dev.sluice.autoconfigure.websocket;

import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/** Properties of messages from clients. */
class InboundProperties {

	/**
	 * Number of waiting messages of a session at which to stop reading from its socket,
	 * where messages may pass others. If not set, 128, or half of the queue capacity if
	 * that is less and a full queue rejects messages.
	 */
	private @Nullable Integer highWaterMark;

	/**
	 * Number of waiting messages of a session at which to resume reading from its socket.
	 * If not set, a quarter of the high-water mark.
	 */
	private @Nullable Integer lowWaterMark;

	/**
	 * Number of waiting bytes of a session at which to stop reading from its socket. Each
	 * message counts with its payload and a few hundred bytes.
	 */
	private DataSize bufferSizeLimit = DataSize.ofMegabytes(1);

	/**
	 * Number of waiting bytes of all sessions together at which to close the session with
	 * the most. If not set, a quarter of the heap.
	 */
	private @Nullable DataSize totalBufferSize;

	/**
	 * Action to take with a session that sends too much when the container cannot stop
	 * reading.
	 */
	private Fallback fallback = Fallback.BLOCK;

	public @Nullable Integer getHighWaterMark() {
		return this.highWaterMark;
	}

	public void setHighWaterMark(@Nullable Integer highWaterMark) {
		this.highWaterMark = highWaterMark;
	}

	public @Nullable Integer getLowWaterMark() {
		return this.lowWaterMark;
	}

	public void setLowWaterMark(@Nullable Integer lowWaterMark) {
		this.lowWaterMark = lowWaterMark;
	}

	public DataSize getBufferSizeLimit() {
		return this.bufferSizeLimit;
	}

	public void setBufferSizeLimit(DataSize bufferSizeLimit) {
		this.bufferSizeLimit = bufferSizeLimit;
	}

	public @Nullable DataSize getTotalBufferSize() {
		return this.totalBufferSize;
	}

	public void setTotalBufferSize(@Nullable DataSize totalBufferSize) {
		this.totalBufferSize = totalBufferSize;
	}

	public Fallback getFallback() {
		return this.fallback;
	}

	public void setFallback(Fallback fallback) {
		this.fallback = fallback;
	}

	/** What to do where the container cannot stop reading. */
	enum Fallback {

		/** Let the reading thread wait until messages have been handled. */
		BLOCK,

		/** Close the session with 1013. */
		CLOSE

	}

}
