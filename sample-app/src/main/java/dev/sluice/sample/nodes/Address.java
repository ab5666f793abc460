package dev.sluice.sample.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Address that stays when its node dies, as behind a load balancer.
 */
final class Address {

	private final ServerSocket socket;

	Address(int port) throws IOException {
		this.socket = new ServerSocket(port);
	}

	int port() {
		return this.socket.getLocalPort();
	}

	/** Passes each connection on to the first port of this machine that accepts it. */
	void open(int... targets) {
		new Thread(() -> accept(targets), "address-" + port()).start();
	}

	private void accept(int... targets) {
		while (!this.socket.isClosed()) {
			try {
				Socket client = this.socket.accept();
				startDaemon(() -> pass(client, targets));
			}
			catch (IOException ex) {
				// It is closed, or the client has gone
			}
		}
	}

	private static void pass(Socket client, int... targets) {
		try (client; Socket node = connect(targets)) {
			startDaemon(() -> copy(node, client));
			copy(client, node);
		}
		catch (IOException ex) {
			// No node is available: the client's connection is closed
		}
	}

	private static Socket connect(int... targets) throws IOException {
		IOException failure = new IOException("There is no target");
		for (int target : targets) {
			try {
				return new Socket(InetAddress.getLoopbackAddress(), target);
			}
			catch (IOException ex) {
				failure = ex;
			}
		}
		throw failure;
	}

	/** Ends when one of both does, and the other then ends, too. */
	private static void copy(Socket from, Socket to) {
		try (from; to) {
			to.setTcpNoDelay(true);
			from.getInputStream().transferTo(to.getOutputStream());
		}
		catch (IOException ex) {
			// As when it ends
		}
	}

	private static void startDaemon(Runnable work) {
		Thread thread = new Thread(work, "connection");
		thread.setDaemon(true);
		thread.start();
	}

	void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
