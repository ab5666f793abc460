package dev.sluice.autoconfigure;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A WebSocket client that costs a socket and no thread, and reads only when told to. */
final class RawClient implements AutoCloseable {

	static final int TEXT = 0x81;

	static final int CLOSE = 0x88;

	static final int PONG = 0x8A;

	private static final int BINARY = 0x82;

	/** The first part of a binary message. */
	private static final int BINARY_PART = 0x02;

	/** The next part of a message, but not its last. */
	private static final int CONTINUATION = 0x00;

	private static final int PING = 0x89;

	private static final int TWO_BYTES = 126;

	private static final int EIGHT_BYTES = 127;

	/** The pings of one write. */
	private static final int PINGS = 1_000;

	private static final byte[] MASK = { 0, 0, 0, 0 };

	private static final int RECEIVE_BUFFER = 4 * 1024;

	private static final int MAX_CONTROL_PAYLOAD = 125;

	private final Socket socket = new Socket();

	private final CountDownLatch cutOff = new CountDownLatch(1);

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

	/** Writes a text message of bytes that may be no text. */
	void writeText(byte[] bytes) throws IOException {
		write(TEXT, bytes);
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
		return Short.toUnsignedInt(ByteBuffer.wrap(skipTo(CLOSE)).getShort());
	}

	void ping(String payload) throws IOException {
		write(PING, payload.getBytes(StandardCharsets.US_ASCII));
		flush();
	}

	/** Pings without end and reads nothing, on a thread that ends with the connection. */
	void keepPinging() {
		byte[] ping = new byte[6 + MAX_CONTROL_PAYLOAD];
		ping[0] = (byte) PING;
		ping[1] = (byte) (0x80 | MAX_CONTROL_PAYLOAD);
		ByteArrayOutputStream pings = new ByteArrayOutputStream();
		for (int i = 0; i < PINGS; i++) {
			pings.writeBytes(ping);
		}
		Thread pinging = new Thread(() -> {
			try {
				while (true) {
					pings.writeTo(this.out);
				}
			}
			catch (IOException ex) {
				this.cutOff.countDown();
			}
		});
		pinging.setDaemon(true);
		pinging.start();
	}

	/** Waits until the server has ended the connection to a client that pings. */
	boolean awaitCutOff(Duration patience) throws InterruptedException {
		return this.cutOff.await(patience.toMillis(), TimeUnit.MILLISECONDS);
	}

	/** Says that the client closes; what the server has to say about it may be read. */
	void writeClose(int code) throws IOException {
		write(CLOSE, ByteBuffer.allocate(Short.BYTES).putShort((short) code).array());
		flush();
	}

	/** Reads up to the next frame that begins so, and returns its payload. */
	byte[] skipTo(int head) throws IOException {
		while (true) {
			int found = this.in.readUnsignedByte();
			int length = this.in.readUnsignedByte();
			if (length == TWO_BYTES) {
				length = this.in.readUnsignedShort();
			}
			else if (length == EIGHT_BYTES) {
				length = Math.toIntExact(this.in.readLong());
			}
			byte[] payload = this.in.readNBytes(length);
			if (found == head) {
				return payload;
			}
		}
	}

	/** Ends the connection as a client does that dies: what it has not read is lost. */
	void reset() {
		try {
			this.socket.setSoLinger(true, 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		close();
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
