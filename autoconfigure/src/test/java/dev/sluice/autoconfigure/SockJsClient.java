package dev.sluice.autoconfigure;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.UUID;

/**
 * A client of SockJS over HTTP that costs a socket for each direction and no thread, and
 * reads only when told to. Its requests use one connection, as SockJS takes nobody else's
 * for the session's.
 */
final class SockJsClient implements AutoCloseable {

	private static final int RECEIVE_BUFFER = 4 * 1024;

	private static final int READ_TIMEOUT_MILLIS = 10_000;

	private final Socket socket = new Socket();

	private final DataInputStream in;

	private final String path;

	/** Frames of one chunk that were not asked for yet. */
	private final Queue<String> frames = new ArrayDeque<>();

	/**
	 * Whether the line that ends a chunk is still to come; Jetty sends it with the next.
	 */
	private boolean withinChunk;

	SockJsClient(int port, String path) throws IOException {
		this.path = path + "/000/" + UUID.randomUUID() + '/';
		this.socket.setReceiveBufferSize(RECEIVE_BUFFER);
		this.socket.setSoTimeout(READ_TIMEOUT_MILLIS);
		this.socket.connect(new InetSocketAddress("localhost", port));
		this.in = new DataInputStream(new BufferedInputStream(this.socket.getInputStream()));
	}

	/** Sends a request, and leaves its response in the socket. */
	void request(String method, String transport, String body) throws IOException {
		this.socket.getOutputStream()
			.write((method + ' ' + this.path + transport + " HTTP/1.1\r\nHost: localhost:" + this.socket.getPort()
					+ "\r\nContent-Type: text/plain\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
				.getBytes(StandardCharsets.US_ASCII));
	}

	/** Returns the frame with which a poll is answered. */
	String poll() throws IOException {
		startPoll();
		return endPoll();
	}

	/** Polls and does not wait for the answer. */
	void startPoll() throws IOException {
		request("POST", "xhr", "");
	}

	String endPoll() throws IOException {
		return body(readHead()).trim();
	}

	/** Polls, and returns the messages that come. */
	List<String> pollMessages() throws IOException {
		return messages(poll());
	}

	/**
	 * Sends messages in a request of their own, as soon as no response is outstanding.
	 */
	void send(String... messages) throws IOException {
		request("POST", "xhr_send", "[\"" + String.join("\",\"", messages) + "\"]");
		body(readHead());
	}

	/** Begins to stream. */
	void stream() throws IOException {
		request("POST", "xhr_streaming", "");
		readHead();
	}

	/** Returns the next frame of a stream, or {@code null} at its end. */
	String nextFrame() throws IOException {
		while (this.frames.isEmpty()) {
			String chunk = readChunk();
			if (chunk == null) {
				return null;
			}
			Arrays.stream(chunk.split("\n")).filter((frame) -> !frame.matches("h*")).forEach(this.frames::add);
		}
		return this.frames.remove();
	}

	/** Returns the messages of a frame, which have no characters to be escaped. */
	static List<String> messages(String frame) {
		return frame.startsWith("a[") ? Arrays.asList(frame.substring(3, frame.length() - 2).split("\",\""))
				: List.of();
	}

	private String body(String head) throws IOException {
		if (head.contains("transfer-encoding: chunked")) {
			StringBuilder body = new StringBuilder();
			for (String chunk = readChunk(); chunk != null; chunk = readChunk()) {
				body.append(chunk);
			}
			return body.toString();
		}
		String length = head.lines()
			.filter((line) -> line.startsWith("content-length:"))
			.map((line) -> line.substring(line.indexOf(':') + 1).trim())
			.findAny()
			.orElse("0");
		return new String(this.in.readNBytes(Integer.parseInt(length)), StandardCharsets.UTF_8);
	}

	private String readHead() throws IOException {
		StringBuilder head = new StringBuilder();
		for (String line = readLine(); !line.isEmpty(); line = readLine()) {
			head.append(line).append('\n');
		}
		if (!head.toString().matches("(?s)HTTP/1.1 20[04].*")) {
			throw new IOException(head.toString());
		}
		return head.toString().toLowerCase();
	}

	private String readChunk() throws IOException {
		if (this.withinChunk) {
			readLine();
		}
		int length = Integer.parseInt(readLine(), 16);
		this.withinChunk = length > 0;
		if (!this.withinChunk) {
			readLine();
			return null;
		}
		return new String(this.in.readNBytes(length), StandardCharsets.UTF_8);
	}

	private String readLine() throws IOException {
		StringBuilder line = new StringBuilder();
		for (int read = this.in.readUnsignedByte(); read != '\n'; read = this.in.readUnsignedByte()) {
			if (read != '\r') {
				line.append((char) read);
			}
		}
		return line.toString();
	}

	/** Ends the connection without a word. */
	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
