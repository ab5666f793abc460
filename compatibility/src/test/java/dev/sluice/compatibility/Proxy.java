package dev.sluice.compatibility;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * A reverse proxy that removes a prefix from the path of each request and adds it as a
 * header. A connection is for one request, or for one WebSocket.
 */
final class Proxy implements AutoCloseable {

	private static final String END = "\r\n\r\n";

	private final ServerSocket socket;

	private final String prefix;

	private final int target;

	Proxy(String prefix, int target) {
		this.prefix = prefix;
		this.target = target;
		try {
			this.socket = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(this::accept);
	}

	int port() {
		return this.socket.getLocalPort();
	}

	private void accept() throws IOException {
		while (!this.socket.isClosed()) {
			Socket client = this.socket.accept();
			start(() -> forward(client));
		}
	}

	private void forward(Socket client) throws IOException {
		try (client; Socket server = new Socket("localhost", this.target)) {
			client.setTcpNoDelay(true);
			server.setTcpNoDelay(true);
			server.getOutputStream().write(head(client.getInputStream()).getBytes(StandardCharsets.ISO_8859_1));
			start(() -> {
				copy(client.getInputStream(), server.getOutputStream());
				server.shutdownOutput();
			});
			copy(server.getInputStream(), client.getOutputStream());
		}
	}

	/** Reads the head of a request, and returns it as the server gets it. */
	private String head(InputStream in) throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.indexOf(END) < 0) {
			int next = in.read();
			if (next < 0) {
				throw new IOException("The client has ended the connection");
			}
			head.append((char) next);
		}
		List<String> lines = head.toString().strip().lines().toList();
		Stream<String> headers = lines.stream().skip(1);
		if (lines.stream().noneMatch((line) -> line.matches("(?i)upgrade:.*websocket.*"))) {
			headers = Stream.concat(Stream.of("Connection: close"),
					headers.filter((line) -> !line.matches("(?i)(connection|upgrade|http2-settings):.*")));
		}
		return Stream
			.concat(Stream.of(lines.get(0).replace(" " + this.prefix, " "), "X-Forwarded-Prefix: " + this.prefix),
					headers)
			.reduce("", (before, line) -> before + line + "\r\n") + "\r\n";
	}

	private static void copy(InputStream in, OutputStream out) throws IOException {
		byte[] buffer = new byte[8192];
		for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
			out.write(buffer, 0, count);
			out.flush();
		}
	}

	private static void start(Transfer transfer) {
		Thread thread = new Thread(() -> {
			try {
				transfer.run();
			}
			catch (IOException ex) {
				// One of the two has ended the connection.
			}
		}, "proxy");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Moves bytes until a connection ends. */
	private interface Transfer {

		void run() throws IOException;

	}

}
