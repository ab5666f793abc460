package dev.sluice.autoconfigure.redis.resume;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** WebSocket clients that share one thread, on which everything of theirs is called. */
final class WebSocketLoop implements AutoCloseable {

	/** A connection that has ended without a close frame. */
	static final int ABNORMAL = 1006;

	private static final int TEXT = 0x81;

	private static final int CLOSE = 0x88;

	private static final int PING = 0x89;

	private static final int PONG = 0x8A;

	private static final int SELECT_MILLIS = 5;

	private final Selector selector;

	private final ByteBuffer input = ByteBuffer.allocateDirect(64 * 1024);

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final PriorityQueue<Timer> timers = new PriorityQueue<>(Comparator.comparingLong(Timer::at));

	private final Thread thread = new Thread(this::run, "clients");

	private volatile boolean closed;

	WebSocketLoop() {
		try {
			this.selector = Selector.open();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.thread.start();
	}

	/** Has the loop do something soon. */
	void execute(Runnable task) {
		this.tasks.add(task);
		this.selector.wakeup();
	}

	/** Has the loop do something later; called on its thread. */
	void schedule(Duration delay, Runnable task) {
		this.timers.add(new Timer(System.nanoTime() + delay.toNanos(), task));
	}

	private void run() {
		try (this.selector) {
			while (!this.closed) {
				this.selector.select(SELECT_MILLIS);
				for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
					task.run();
				}
				for (Timer first = this.timers.peek(); first != null
						&& first.at <= System.nanoTime(); first = this.timers.peek()) {
					this.timers.remove().task.run();
				}
				this.selector.selectedKeys().forEach((key) -> ((Connection) key.attachment()).ready(key));
				this.selector.selectedKeys().clear();
			}
			this.selector.keys().forEach((key) -> ((Connection) key.attachment()).abort());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Connects a client; called on the loop's thread. */
	Connection connect(int port, String path, Client client) {
		return new Connection(port, path, client);
	}

	/** Ends all connections. */
	@Override
	public void close() {
		this.closed = true;
		this.selector.wakeup();
		try {
			this.thread.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Whom a connection calls back. */
	interface Client {

		void opened(Connection connection);

		void received(Connection connection, String text);

		/** The connection has ended, or there was none. */
		void closed(Connection connection, int code);

	}

	private record Timer(long at, Runnable task) {
	}

	/** A connection of a client. */
	final class Connection {

		private final Client client;

		private SocketChannel channel;

		private ByteBuffer unread = ByteBuffer.allocate(1024);

		private ByteBuffer unsent = ByteBuffer.allocate(0);

		private boolean open;

		private boolean ended;

		private int code = ABNORMAL;

		private Connection(int port, String path, Client client) {
			this.client = client;
			write(("GET " + path + " HTTP/1.1\r\nHost: localhost:" + port + "\r\nUpgrade: websocket\r\n"
					+ "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
					+ "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII));
			try {
				this.channel = SocketChannel.open();
				this.channel.configureBlocking(false);
				this.channel.register(WebSocketLoop.this.selector, SelectionKey.OP_CONNECT, this);
				this.channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			}
			catch (IOException ex) {
				WebSocketLoop.this.execute(this::end);
			}
		}

		private void write(byte[] bytes) {
			ByteBuffer all = ByteBuffer.allocate(this.unsent.remaining() + bytes.length);
			this.unsent = all.put(this.unsent).put(bytes).flip();
		}

		private void flush() throws IOException {
			this.channel.write(this.unsent);
			int interest = SelectionKey.OP_READ | (this.unsent.hasRemaining() ? SelectionKey.OP_WRITE : 0);
			this.channel.keyFor(WebSocketLoop.this.selector).interestOps(interest);
		}

		void send(String text) {
			send(TEXT, text.getBytes(StandardCharsets.UTF_8));
		}

		private void send(int head, byte[] payload) {
			if (this.ended) {
				return;
			}
			ByteBuffer frame = ByteBuffer.allocate(payload.length + 8).put((byte) head);
			if (payload.length < 126) {
				frame.put((byte) (0x80 | payload.length));
			}
			else {
				frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
			}
			frame.putInt(0).put(payload).flip();
			byte[] bytes = new byte[frame.remaining()];
			frame.get(bytes);
			write(bytes);
			try {
				flush();
			}
			catch (IOException ex) {
				end();
			}
		}

		/** Ends the connection as a client does that is gone. */
		void abort() {
			end();
		}

		private void ready(SelectionKey key) {
			try {
				if (key.isConnectable()) {
					this.channel.finishConnect();
				}
				flush();
				if (key.isReadable()) {
					read();
				}
			}
			catch (IOException | RuntimeException ex) {
				end();
			}
		}

		private void read() throws IOException {
			ByteBuffer input = WebSocketLoop.this.input.clear();
			int length = this.channel.read(input);
			if (length < 0) {
				end();
				return;
			}
			input.flip();
			if (this.unread.remaining() < length) {
				this.unread = ByteBuffer.allocate(2 * (this.unread.position() + length)).put(this.unread.flip());
			}
			this.unread.put(input).flip();
			while (!this.ended && (this.open ? takeFrame() : takeHead())) {
				continue;
			}
			this.unread.compact();
		}

		private boolean takeHead() {
			String head = StandardCharsets.US_ASCII.decode(this.unread.duplicate()).toString();
			int end = head.indexOf("\r\n\r\n");
			if (end >= 0 && !head.startsWith("HTTP/1.1 101")) {
				end();
			}
			else if (end >= 0) {
				this.unread.position(this.unread.position() + end + 4);
				this.open = true;
				this.client.opened(this);
			}
			return end >= 0;
		}

		private boolean takeFrame() {
			ByteBuffer frame = this.unread.duplicate();
			if (frame.remaining() < 2) {
				return false;
			}
			int head = frame.get() & 0xff;
			int length = frame.get() & 0x7f;
			if (length >= 126) {
				int bytes = (length == 126) ? 2 : 8;
				if (frame.remaining() < bytes) {
					return false;
				}
				length = (bytes == 2) ? frame.getShort() & 0xffff : Math.toIntExact(frame.getLong());
			}
			if (frame.remaining() < length) {
				return false;
			}
			byte[] payload = new byte[length];
			frame.get(payload);
			this.unread.position(frame.position());
			take(head, payload);
			return true;
		}

		private void take(int head, byte[] payload) {
			if (head == TEXT) {
				this.client.received(this, new String(payload, StandardCharsets.UTF_8));
			}
			else if (head == PING) {
				send(PONG, payload);
			}
			else if (head == CLOSE) {
				this.code = (payload.length >= 2) ? ByteBuffer.wrap(payload).getShort() & 0xffff : 1005;
				send(CLOSE, payload);
				end();
			}
		}

		private void end() {
			if (this.ended) {
				return;
			}
			this.ended = true;
			try {
				this.channel.close();
			}
			catch (IOException ex) {
				// it has ended, whichever way
			}
			if (!WebSocketLoop.this.closed) {
				this.client.closed(this, this.code);
			}
		}

	}

}
