package dev.sluice.websocket.container;

import java.util.concurrent.atomic.AtomicInteger;

import org.apache.tomcat.websocket.WsSession;
import org.jspecify.annotations.Nullable;

/** Control that stops and resumes the reading of one connection of Tomcat. */
final class TomcatReading implements SocketReading {

	/*
	 * If reading is resumed before the stopped thread has left, Tomcat ignores the frames
	 * in its buffer until more bytes arrive, or detects the end of the stream before
	 * them. The reading thread therefore marks when it is inside, and a thread that
	 * resumes in the meantime leaves that to it. One thread at a time is inside, as
	 * Tomcat holds the socket's lock there. Attacked by HandlerContractTests and
	 * BackPressureTests.
	 */

	/** No thread is inside: reading is stopped and resumed immediately. */
	private static final int OUTSIDE = 0;

	/** Within Tomcat's reading of the socket. */
	private static final int INSIDE = 1;

	/** Inside; reading resumes when the thread has left. */
	private static final int RESUMED = 2;

	/** Position of the reading thread. */
	private final AtomicInteger position = new AtomicInteger(OUTSIDE);

	/** Whether the reading thread marks when it is inside. */
	private final boolean exact;

	private final TomcatMessageBuffers buffers = new TomcatMessageBuffers();

	/**
	 * Whether the container passes messages on directly; used by the opening thread.
	 */
	private boolean direct;

	private volatile @Nullable WsSession session;

	/**
	 * Whether messages to the client can be sent without a thread that has the socket's
	 * lock.
	 */
	private volatile boolean mayBlock;

	private volatile @Nullable FrameGate gate;

	/**
	 * The id of the thread that is inside, 0 for none: a reference that changes with each
	 * message would make the garbage collector scan the session again.
	 */
	private volatile long reader;

	private TomcatReading(boolean exact) {
		this.exact = exact;
	}

	/** Creates the reading of a connection whose thread calls {@link #enter()}. */
	static TomcatReading exact() {
		return new TomcatReading(true);
	}

	static SocketReading of(WsSession session) {
		ControlChannel opening = ControlChannel.opening();
		TomcatReading reading = (opening != null && opening.reading() instanceof TomcatReading exact) ? exact
				: new TomcatReading(false);
		reading.session = session;
		reading.mayBlock = opening != null && opening.isAvailable();
		return reading;
	}

	@Override
	public boolean connect(FrameGate gate) {
		this.gate = gate;
		return this.exact;
	}

	@Override
	public boolean mayBlock() {
		return this.mayBlock;
	}

	/** Called before the connection is opened. */
	void setDirect(boolean direct) {
		this.direct = direct;
	}

	@Override
	public void shrinkBuffers() {
		if (this.direct) {
			this.buffers.shrink(session());
		}
	}

	@Override
	public void growBuffers() {
		this.buffers.grow();
	}

	@Override
	public boolean takeProbe() {
		return this.buffers.takeProbe();
	}

	/** Returns the buffers in which messages are gathered. */
	TomcatMessageBuffers buffers() {
		return this.buffers;
	}

	/**
	 * Returns whether the next frame must not be read; called on the reading thread.
	 */
	boolean holdsBack() {
		FrameGate gate = this.gate;
		return gate != null && gate.holdsBack();
	}

	/** The thread that reads begins. */
	void enter() {
		this.reader = Thread.currentThread().getId();
		this.position.set(INSIDE);
	}

	/** Returns whether the calling thread is the reading thread. */
	boolean isReader() {
		return this.reader == Thread.currentThread().getId();
	}

	/** Called when the reading thread has stopped. */
	void leave() {
		this.reader = 0;
		if (this.position.getAndSet(OUTSIDE) == RESUMED) {
			session().resume();
		}
	}

	@Override
	public void suspend() {
		if (!this.position.compareAndSet(RESUMED, INSIDE)) {
			session().suspend();
		}
	}

	@Override
	public void resume() {
		if (!this.position.compareAndSet(INSIDE, RESUMED)) {
			session().resume();
		}
	}

	private WsSession session() {
		WsSession session = this.session;
		if (session == null) {
			throw new IllegalStateException("There is no session yet");
		}
		return session;
	}

}
