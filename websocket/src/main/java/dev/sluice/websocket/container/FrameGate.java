package dev.sluice.websocket.container;

/** Gate that decides whether the next frame of a client is read. */
@FunctionalInterface
public interface FrameGate {

	/**
	 * Called on the reading thread before a part of a message or the close frame is read;
	 * pings and pongs pass.
	 * @return whether the frame is held back, in which case reading has been suspended
	 */
	boolean holdsBack();

}
