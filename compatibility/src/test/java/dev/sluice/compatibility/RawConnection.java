package dev.sluice.compatibility;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** A client that writes bytes, and tells what came back. */
final class RawConnection implements AutoCloseable {

	/** A valid request but for its first line. */
	static final List<String> HEADERS = List.of("Host: localhost", "Upgrade: websocket", "Connection: Upgrade",
			"Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");

	private static final int PATIENCE = 10_000;

	private static final int TEXT = 0x81;

	private static final int CLOSE = 0x88;

	private static final int PING = 0x89;

	private static final int PONG = 0x8A;

	private static final int CONTROL = 0x08;

	private static final int TWO_BYTES = 126;

	private static final int EIGHT_BYTES = 127;

	/** Of payloads above it, an outcome has the size and a hash. */
	private static final int SHORT = 40;

	private final Socket socket;

	private final DataInputStream in;

	private final Outcome outcome = new Outcome();

	private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

	private int partsHead;

	private boolean closing;

	RawConnection(int port) throws IOException {
		this.socket = new Socket("localhost", port);
		this.socket.setTcpNoDelay(true);
		this.socket.setSoTimeout(PATIENCE);
		this.in = new DataInputStream(new BufferedInputStream(this.socket.getInputStream()));
	}

	/** Sends a request and returns the head of the response. */
	List<String> request(String line, List<String> headers) throws IOException {
		write((line + "\r\n" + String.join("\r\n", headers) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
		StringBuilder head = new StringBuilder();
		while (head.indexOf("\r\n\r\n") < 0) {
			head.append((char) this.in.readUnsignedByte());
		}
		return head.toString().lines().toList();
	}

	/**
	 * Opens a WebSocket, writes what the case says, and reads until the connection ends;
	 * it closes when the probe is back.
	 */
	Outcome exchange(FrameCase frames) throws IOException {
		String status = request("GET /echo HTTP/1.1", HEADERS).get(0);
		if (!status.startsWith("HTTP/1.1 101")) {
			throw new IOException(status);
		}
		frames.writes().forEach(this::write);
		if (frames.probed()) {
			write(FrameCase.frame(TEXT, FrameCase.PROBE.getBytes(StandardCharsets.US_ASCII)));
		}
		if (frames.ended()) {
			this.socket.shutdownOutput();
		}
		readToTheEnd();
		return this.outcome;
	}

	/** Writes, unless the server has ended the connection. */
	private void write(byte[] bytes) {
		try {
			this.socket.getOutputStream().write(bytes);
			this.socket.getOutputStream().flush();
		}
		catch (IOException ex) {
			this.closing = true;
		}
	}

	private void readToTheEnd() {
		try {
			int head = this.in.read();
			while (head >= 0) {
				readFrame(head);
				head = this.in.read();
			}
			this.outcome.end("ended");
		}
		catch (SocketTimeoutException ex) {
			this.outcome.end("still open");
		}
		catch (IOException ex) {
			this.outcome.end("ended");
		}
	}

	private void readFrame(int head) throws IOException {
		int length = this.in.readUnsignedByte();
		if (length == TWO_BYTES) {
			length = this.in.readUnsignedShort();
		}
		else if (length == EIGHT_BYTES) {
			length = Math.toIntExact(this.in.readLong());
		}
		byte[] payload = new byte[length];
		this.in.readFully(payload);
		if ((head & CONTROL) != 0) {
			control(head, payload);
		}
		else {
			part(head, payload);
		}
	}

	private void control(int head, byte[] payload) {
		switch (head) {
			case PONG -> this.outcome.pong(describe(payload));
			case PING -> write(FrameCase.frame(PONG, payload));
			case CLOSE -> {
				this.outcome
					.close((payload.length == 0) ? 0 : Short.toUnsignedInt(ByteBuffer.wrap(payload).getShort()));
				close(Arrays.copyOf(payload, Math.min(payload.length, Short.BYTES)));
			}
			default -> this.outcome.message("control frame 0x%x".formatted(head));
		}
	}

	private void part(int head, byte[] payload) {
		if ((head & 0x0F) != 0) {
			this.partsHead = head & 0x0F;
		}
		this.parts.writeBytes(payload);
		if ((head & 0x80) != 0) {
			byte[] message = this.parts.toByteArray();
			this.parts.reset();
			this.outcome.message(((this.partsHead == 1) ? "text " : "binary ") + describe(message));
			if (new String(message, StandardCharsets.ISO_8859_1).equals(FrameCase.PROBE)) {
				close(new byte[] { 0x03, (byte) 0xE8 });
			}
		}
	}

	private void close(byte[] payload) {
		if (!this.closing) {
			this.closing = true;
			write(FrameCase.frame(CLOSE, payload));
		}
	}

	private static String describe(byte[] payload) {
		return (payload.length <= SHORT) ? HexFormat.of().formatHex(payload)
				: payload.length + " bytes #" + Integer.toHexString(Arrays.hashCode(payload));
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
