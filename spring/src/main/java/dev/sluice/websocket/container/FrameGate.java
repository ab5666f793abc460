package dev.sluice.websocket.container;

/** Gate that decides whether the next frame of a client is read. */
@FunctionalInterface
public interface FrameGate {

	/**
	 * Called on the thread that reads, before a part of a message or the close frame is
	 * taken; pings and pongs pass.
	 * @return whether the frame stays where it is, in which case reading has been
	 * suspended
	 */
	boolean holdsBack();

}
