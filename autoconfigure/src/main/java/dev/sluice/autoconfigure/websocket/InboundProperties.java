package dev.sluice.autoconfigure.websocket;

import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/** Properties of messages from clients. */
class InboundProperties {

	/**
	 * Waiting messages of a session at which reading from its socket stops, where
	 * messages may pass others. Where none may, the next message is read when the one
	 * before it has been handled. If not set, 128, or half of the queue capacity where
	 * that is less and a full queue rejects messages.
	 */
	private @Nullable Integer highWaterMark;

	/**
	 * Waiting messages of a session at which reading from its socket goes on. If not set,
	 * a quarter of the high-water mark.
	 */
	private @Nullable Integer lowWaterMark;

	/**
	 * Waiting bytes of a session at which reading from its socket stops. Each message
	 * counts with its payload and a few hundred bytes.
	 */
	private DataSize bufferSizeLimit = DataSize.ofMegabytes(1);

	/**
	 * Waiting bytes of all sessions together, those of clients that have left among them,
	 * at which the session with most of them is closed. Sessions with more than is left
	 * are not read. If not set, a quarter of the heap.
	 */
	private @Nullable DataSize totalBufferSize;

	/**
	 * What to do with a session that sends too much where the container cannot stop
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
