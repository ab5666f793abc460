package dev.sluice.autoconfigure;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A WebSocket client that costs a socket and no thread, and reads only when told to. */
final class RawClient implements AutoCloseable {

	private static final int TEXT = 0x81;

	private static final int BINARY = 0x82;

	/** The first part of a binary message. */
	private static final int BINARY_PART = 0x02;

	/** The next part of a message, but not its last. */
	private static final int CONTINUATION = 0x00;

	private static final int CLOSE = 0x88;

	private static final int PING = 0x89;

	private static final int PONG = 0x8A;

	private static final byte[] MASK = { 0, 0, 0, 0 };

	private static final int RECEIVE_BUFFER = 4 * 1024;

	private final Socket socket = new Socket();

	private final OutputStream out;

	private final DataInputStream in;

	RawClient(int port, String path) {
		try {
			this.socket.setReceiveBufferSize(RECEIVE_BUFFER);
			this.socket.connect(new InetSocketAddress("localhost", port));
			this.out = new BufferedOutputStream(this.socket.getOutputStream());
			this.in = new DataInputStream(this.socket.getInputStream());
			this.out.write(("GET " + path + " HTTP/1.1\r\nHost: localhost:" + port + "\r\nUpgrade: websocket\r\n"
					+ "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
					+ "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII));
			this.out.flush();
			readHead();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void readHead() throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.indexOf("\r\n\r\n") < 0) {
			head.append((char) this.in.readUnsignedByte());
		}
		if (!head.toString().startsWith("HTTP/1.1 101")) {
			throw new IOException(head.toString());
		}
	}

	/** Writes a short text into a buffer, which may have to be flushed. */
	void write(String text) throws IOException {
		write(TEXT, text.getBytes(StandardCharsets.US_ASCII));
	}

	/** Writes a binary message. */
	void writeBinary(byte[] bytes) throws IOException {
		write(BINARY, bytes);
	}

	/** Writes the first part of a binary message. */
	void writeFirstPart(byte[] bytes) throws IOException {
		write(BINARY_PART, bytes);
	}

	/** Writes the next part of a message, which is not its last. */
	void writeNextPart(byte[] bytes) throws IOException {
		write(CONTINUATION, bytes);
	}

	private synchronized void write(int head, byte[] bytes) throws IOException {
		this.out.write(head);
		if (bytes.length < 126) {
			this.out.write(0x80 | bytes.length);
		}
		else {
			this.out.write(0x80 | 126);
			this.out.write(bytes.length >> 8);
			this.out.write(bytes.length);
		}
		this.out.write(MASK);
		this.out.write(bytes);
	}

	void flush() throws IOException {
		this.out.flush();
	}

	/** Reads a short text, and answers the pings before it. */
	String read() throws IOException {
		while (true) {
			int head = this.in.readUnsignedByte();
			byte[] bytes = new byte[this.in.readUnsignedByte()];
			this.in.readFully(bytes);
			if (head == TEXT) {
				return new String(bytes, StandardCharsets.US_ASCII);
			}
			if (head != PING) {
				throw new IOException("Unexpected frame 0x%x".formatted(head));
			}
			write(PONG, bytes);
			flush();
		}
	}

	/** Reads the frame with which the server closes, past all others. */
	int readCloseCode() throws IOException {
		while (true) {
			int head = this.in.readUnsignedByte();
			int length = this.in.readUnsignedByte();
			if (length == 126) {
				length = this.in.readUnsignedShort();
			}
			if (head == CLOSE) {
				return this.in.readUnsignedShort();
			}
			this.in.skipNBytes(length);
		}
	}

	/**
	 * Reads until the server ends the connection, and answers nothing.
	 * @throws SocketTimeoutException if the server is silent for so long, and does not
	 */
	void readToTheEnd(Duration patience) throws IOException {
		this.socket.setSoTimeout((int) patience.toMillis());
		while (this.in.read() >= 0) {
			continue;
		}
	}

	/** Ends the connection without a word. */
	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
