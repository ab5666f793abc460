package dev.sluice.compatibility;

import java.util.function.Consumer;

/** A client's way of sending texts, which closes it too. */
interface Link extends AutoCloseable {

	/** Sends a text behind those sent before, without waiting. */
	void send(String text);

	@Override
	void close();

	/** Opens a link to a path of a server on this machine. */
	interface Opener {

		/**
		 * Opens it.
		 * @param received is given each text that comes
		 * @param ended is told how the connection has ended
		 */
		Link open(int port, String path, Consumer<String> received, Consumer<String> ended);

	}

}
