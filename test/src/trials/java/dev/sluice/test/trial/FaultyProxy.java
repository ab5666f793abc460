package dev.sluice.test.trial;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * A network to a server that delays, keeps, swallows, cuts or refuses what goes through
 * it.
 */
public final class FaultyProxy implements AutoCloseable {

	/** Start of a command of Redis, and its name. */
	private static final Pattern COMMAND = Pattern.compile("\\*\\d+\r\n\\$\\d+\r\n([A-Z]+)\r\n");

	private static final Set<String> OPENING = Set.of("AUTH", "CLIENT", "HELLO", "PING", "SELECT");

	private static final byte[] SHORT_ANSWER = "*1\r\n:0\r\n".getBytes(StandardCharsets.ISO_8859_1);

	private static final int REMEMBERED = 50;

	private static final Duration HELD_FOR = Duration.ofMillis(1);

	private volatile ServerSocket listening;

	private final int port;

	private volatile int target;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private volatile Duration delay = Duration.ZERO;

	private volatile boolean holding;

	private volatile Duration distance = Duration.ZERO;

	private final ScheduledExecutorService far = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "faulty-proxy");
		thread.setDaemon(true);
		return thread;
	});

	private volatile boolean swallowing;

	private volatile boolean cut;

	private volatile boolean swallowingAnswers;

	private volatile boolean swallowingMessages;

	private volatile boolean shortening;

	private final AtomicLong shortened = new AtomicLong();

	private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

	private final Set<Socket> subscribers = ConcurrentHashMap.newKeySet();

	private final Set<Socket> silenced = ConcurrentHashMap.newKeySet();

	private final AtomicLong opened = new AtomicLong();

	private final AtomicLong requests = new AtomicLong();

	private final Queue<String> lastRequests = new ConcurrentLinkedQueue<>();

	private FaultyProxy(ServerSocket listening, int target) {
		this.listening = listening;
		this.port = listening.getLocalPort();
		this.target = target;
	}

	public static FaultyProxy to(int target) {
		try {
			FaultyProxy proxy = new FaultyProxy(listen(0), target);
			run(() -> proxy.accept(proxy.listening));
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static ServerSocket listen(int port) throws IOException {
		return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
	}

	private static void run(Runnable task) {
		Thread thread = new Thread(task, "faulty-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	public int port() {
		return this.port;
	}

	/**
	 * Returns how many connections clients have opened, and what they have sent: commands
	 * of Redis, other than those that open a connection, or pieces in another protocol.
	 */
	public long requests() {
		return this.requests.get();
	}

	/** Returns the starts of the last pieces that clients have sent. */
	public List<String> lastRequests() {
		return List.copyOf(this.lastRequests);
	}

	/** Returns how many connections clients have opened. */
	public long opened() {
		return this.opened.get();
	}

	/** Returns how many connections of clients are open. */
	public int connections() {
		return this.clients.size();
	}

	/** Delays each piece of what is sent, either way. */
	public void delay(Duration delay) {
		this.delay = delay;
	}

	/** Keeps what is sent, either way, until it is repaired. */
	public void hold() {
		this.holding = true;
	}

	/** Has all that is sent arrive later, either way, but no slower. */
	public void distance(Duration distance) {
		this.distance = distance;
	}

	/**
	 * Takes what is sent and passes nothing on; connections stay open. A connection that
	 * has lost something is closed when something follows after the repair, as no network
	 * delivers what was sent behind a gap.
	 */
	public void swallow() {
		this.swallowing = true;
	}

	/** Passes on what clients send, and takes what the server answers. */
	public void swallowAnswers() {
		this.swallowingAnswers = true;
	}

	/** Passes nothing more on, either way, of the connections that there are now. */
	public void silence() {
		this.silenced.addAll(this.sockets);
	}

	/** Passes no more messages on, on the connections for messages there are now. */
	public void silenceSubscriptions() {
		this.silenced.addAll(this.subscribers);
	}

	/** Lets clients subscribe, and passes no messages on until it is repaired. */
	public void swallowMessages() {
		this.swallowingMessages = true;
	}

	/** Passes a list of one number on instead of each list that Redis answers. */
	public void shortenAnswers() {
		this.shortening = true;
	}

	/** Returns how many answers it has shortened. */
	public long shortened() {
		return this.shortened.get();
	}

	/** Hangs up on all clients; what they have sent before still gets to the server. */
	public void hangUp() {
		this.clients.forEach(FaultyProxy::close);
	}

	/** Resets the connections of all clients. */
	public void reset() {
		this.clients.forEach((client) -> {
			try {
				client.setSoLinger(true, 0);
			}
			catch (SocketException ex) {
				// closed in the meantime
			}
			close(client);
		});
	}

	/**
	 * Closes all connections, and those that are opened, at once; what is kept is lost.
	 */
	public void cut() {
		this.cut = true;
		this.sockets.forEach(FaultyProxy::close);
	}

	/** Closes all connections, and has the system refuse those that are opened. */
	public void refuse() {
		try {
			this.listening.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.sockets.forEach(FaultyProxy::close);
	}

	/** Leads to another server, whoever connects from now on. */
	public void redirect(int target) {
		this.target = target;
	}

	public void repair() {
		this.delay = Duration.ZERO;
		this.holding = false;
		this.distance = Duration.ZERO;
		this.swallowing = false;
		this.swallowingAnswers = false;
		this.swallowingMessages = false;
		this.shortening = false;
		this.cut = false;
		if (this.listening.isClosed()) {
			try {
				ServerSocket again = listen(this.port);
				this.listening = again;
				run(() -> accept(again));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	private void accept(ServerSocket listening) {
		while (!listening.isClosed()) {
			try {
				Socket client = listening.accept();
				this.opened.incrementAndGet();
				this.requests.incrementAndGet();
				this.sockets.add(client);
				this.clients.add(client);
				if (this.cut) {
					drop(client);
					continue;
				}
				connect(client);
			}
			catch (IOException ex) {
				// closed, or its client has gone
			}
		}
	}

	private void connect(Socket client) throws IOException {
		try {
			Socket server = new Socket(InetAddress.getLoopbackAddress(), this.target);
			this.sockets.add(server);
			run(() -> pass(client, server));
			run(() -> pass(server, client));
		}
		catch (IOException ex) {
			drop(client);
			throw ex;
		}
	}

	private void drop(Socket client) {
		close(client);
		this.sockets.remove(client);
		this.clients.remove(client);
	}

	private void pass(Socket from, Socket to) {
		byte[] bytes = new byte[8192];
		Queue<byte[]> underWay = new ConcurrentLinkedQueue<>();
		long arrival = System.nanoTime();
		boolean swallowed = false;
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			int length;
			while ((length = in.read(bytes)) >= 0) {
				String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
				if (this.clients.contains(from)) {
					this.requests.addAndGet(requestsIn(text));
					remember(text);
				}
				if (this.clients.contains(from) && text.contains("SUBSCRIBE")) {
					this.subscribers.add(from);
				}
				if (swallowed && !this.swallowing) {
					break;
				}
				swallowed = this.swallowing;
				boolean lost = swallowed || this.silenced.contains(to)
						|| this.swallowingAnswers && this.clients.contains(to)
						|| this.swallowingMessages && this.subscribers.contains(to) && !text.contains("subscribe");
				LockSupport.parkNanos(this.delay.toNanos());
				while (this.holding && !this.cut) {
					LockSupport.parkNanos(HELD_FOR.toNanos());
				}
				if (this.cut) {
					break;
				}
				if (this.shortening && this.clients.contains(to) && text.startsWith("*")) {
					this.shortened.incrementAndGet();
					length = SHORT_ANSWER.length;
					System.arraycopy(SHORT_ANSWER, 0, bytes, 0, length);
				}
				if (!lost && this.distance.isZero() && underWay.isEmpty()) {
					out.write(bytes, 0, length);
				}
				else if (!lost) {
					underWay.add(Arrays.copyOf(bytes, length));
					arrival = Math.max(arrival, System.nanoTime() + this.distance.toNanos());
					this.far.schedule(() -> {
						// the first, as tasks of nearly the same time may change places
						out.write(underWay.element());
						underWay.remove();
						return null;
					}, arrival - System.nanoTime(), TimeUnit.NANOSECONDS);
				}
			}
		}
		catch (IOException ex) {
			// one of both has gone, and the other goes, too
		}
		this.sockets.remove(from);
		this.sockets.remove(to);
		this.clients.removeAll(Set.of(from, to));
		this.subscribers.remove(from);
		this.silenced.removeAll(Set.of(from, to));
	}

	private void remember(String request) {
		this.lastRequests.add(request.substring(0, Math.min(request.length(), 200)).replaceAll("\\R", " "));
		if (this.lastRequests.size() > REMEMBERED) {
			this.lastRequests.poll();
		}
	}

	private static long requestsIn(String text) {
		return text.startsWith("*")
				? COMMAND.matcher(text).results().filter((command) -> !OPENING.contains(command.group(1))).count() : 1;
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.listening.close();
		this.far.shutdownNow();
		cut();
	}

}
