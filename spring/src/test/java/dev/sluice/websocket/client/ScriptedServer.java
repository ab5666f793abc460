package dev.sluice.websocket.client;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A server of WebSockets on a real port that does nothing of itself: a test takes each
 * connection, reads its frames, and says and closes what it wants to.
 */
final class ScriptedServer implements AutoCloseable {

	private static final int PATIENCE = 60_000;

	private final ServerSocket server;

	private final List<Socket> sockets = new ArrayList<>();

	ScriptedServer() throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.server.setSoTimeout(PATIENCE);
	}

	String url() {
		return "ws://" + this.server.getInetAddress().getHostAddress() + ":" + this.server.getLocalPort() + "/rooms";
	}

	/** Takes the next connection, and leaves its handshake without an answer. */
	Connection take() throws IOException {
		Socket socket = this.server.accept();
		this.sockets.add(socket);
		socket.setSoTimeout(PATIENCE);
		return new Connection(socket);
	}

	/** Takes the next connection, and answers its handshake. */
	Connection accept() throws Exception {
		Connection connection = take();
		connection.shakeHands();
		return connection;
	}

	@Override
	public void close() throws IOException {
		for (Socket socket : this.sockets) {
			socket.close();
		}
		this.server.close();
	}

	static final class Connection {

		private final Socket socket;

		private final DataInputStream input;

		private Connection(Socket socket) throws IOException {
			this.socket = socket;
			this.input = new DataInputStream(socket.getInputStream());
		}

		private void shakeHands() throws Exception {
			String key = "";
			for (String line = line(); !line.isEmpty(); line = line()) {
				if (line.regionMatches(true, 0, "Sec-WebSocket-Key:", 0, 18)) {
					key = line.substring(18).trim();
				}
			}
			byte[] hash = MessageDigest.getInstance("SHA-1")
				.digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
			answer("101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
					"Sec-WebSocket-Accept: " + Base64.getEncoder().encodeToString(hash));
		}

		void answer(String status, String... headers) throws IOException {
			String answer = "HTTP/1.1 " + status + "\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
			this.socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
		}

		private String line() throws IOException {
			StringBuilder line = new StringBuilder();
			for (int next = this.input.readUnsignedByte(); next != '\n'; next = this.input.readUnsignedByte()) {
				line.append((char) next);
			}
			return line.toString().trim();
		}

		/** The next text of the client, or {@code close} with its code. */
		String read() {
			try {
				int first = this.input.readUnsignedByte();
				int length = this.input.readUnsignedByte() & 0x7f;
				if (length == 126) {
					length = this.input.readUnsignedShort();
				}
				byte[] mask = this.input.readNBytes(4);
				byte[] payload = this.input.readNBytes(length);
				for (int i = 0; i < payload.length; i++) {
					payload[i] ^= mask[i % 4];
				}
				if ((first & 0xf) == 8) {
					return "close " + ((length < 2) ? 1005 : ByteBuffer.wrap(payload).getShort());
				}
				return new String(payload, StandardCharsets.UTF_8);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		/** Sends texts, with double quotes for single ones. */
		Connection say(String... texts) throws IOException {
			for (String text : texts) {
				frame(1, text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
			}
			return this;
		}

		void close(int code) throws IOException {
			frame(8, ByteBuffer.allocate(2).putShort((short) code).array());
			this.socket.shutdownOutput();
		}

		/** Ends the connection without a close, in the middle of a message. */
		void cut() throws IOException {
			this.socket.getOutputStream().write(new byte[] { (byte) 0x81, 100, '{' });
			this.socket.setSoLinger(true, 0);
			this.socket.close();
		}

		private void frame(int code, byte[] payload) throws IOException {
			ByteBuffer frame = ByteBuffer.allocate(payload.length + 4).put((byte) (0x80 | code));
			if (payload.length < 126) {
				frame.put((byte) payload.length);
			}
			else {
				frame.put((byte) 126).putShort((short) payload.length);
			}
			frame.put(payload);
			this.socket.getOutputStream().write(frame.array(), 0, frame.position());
		}

	}

}
