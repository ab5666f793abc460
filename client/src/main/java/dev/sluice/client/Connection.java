package dev.sluice.client;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/** One connection of a client. */
final class Connection implements WebSocket.Listener {

	/*
	 * Sends are chained, because the JDK's WebSocket accepts one at a time. The chain and
	 * the state of the greeting are guarded by the lock of the client. Only the callbacks
	 * of the WebSocket, which are called one after another, assemble the text. A
	 * connection that was left before it was open is closed as soon as it is open.
	 * Attacked by ClientSocketsTests.
	 */

	static final int ABNORMAL = 1006;

	private static final int MAX_CHARS = 16 * 1024 * 1024;

	/** Time in which the server must answer a close. */
	private static final Duration CLOSE_TIME = Duration.ofSeconds(5);

	private final Events events;

	private final DelayScheduler scheduler;

	private final StringBuilder parts = new StringBuilder();

	private final AtomicInteger unsent = new AtomicInteger();

	private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);

	private volatile @Nullable WebSocket socket;

	private volatile boolean left;

	/** Whether something was received since the last ping. */
	private volatile boolean heard;

	private boolean greeted;

	private BackOff.@Nullable ReconnectHint hint;

	/** The token that was sent on this connection. */
	private @Nullable String token;

	Connection(Events events, DelayScheduler scheduler) {
		this.events = events;
		this.scheduler = scheduler;
	}

	boolean isGreeted() {
		return this.greeted;
	}

	void greet() {
		this.greeted = true;
	}

	BackOff.@Nullable ReconnectHint hint() {
		return this.hint;
	}

	void hint(BackOff.@Nullable ReconnectHint hint) {
		this.hint = hint;
	}

	@Nullable String token() {
		return this.token;
	}

	void token(@Nullable String token) {
		this.token = token;
	}

	/** How many texts wait to be sent. */
	int unsent() {
		return this.unsent.get();
	}

	/** Sends a text after those sent before; does not block. */
	void send(String text) {
		WebSocket open = this.socket;
		if (open == null) {
			return;
		}
		this.unsent.incrementAndGet();
		this.sent = this.sent.thenCompose((before) -> open.sendText(text, true)).whenComplete((ended, failure) -> {
			this.unsent.decrementAndGet();
			if (failure != null) {
				lost(ABNORMAL, "");
			}
		});
	}

	/** Sends a ping; returns whether the previous ping, if any, has been answered. */
	boolean ping() {
		boolean alive = this.heard;
		this.heard = false;
		WebSocket open = this.socket;
		if (alive && open != null) {
			this.sent = this.sent.thenCompose((before) -> open.sendPing(ByteBuffer.allocate(0)));
		}
		return alive;
	}

	/** Aborts the connection; its later events are ignored. */
	void leave(int code) {
		this.left = true;
		WebSocket open = this.socket;
		if (open != null) {
			this.sent.handle((ended, failure) -> open.sendClose(code, ""));
			this.scheduler.schedule(open::abort, CLOSE_TIME);
		}
	}

	@Override
	public void onOpen(WebSocket opened) {
		this.socket = opened;
		this.heard = true;
		if (this.left) {
			opened.abort();
			return;
		}
		this.events.opened(this);
		opened.request(Long.MAX_VALUE);
	}

	@Override
	public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
		this.heard = true;
		if (this.parts.length() + data.length() > MAX_CHARS) {
			lost(ABNORMAL, "A message is too large");
			from.abort();
			return null;
		}
		this.parts.append(data);
		if (last) {
			String text = this.parts.toString();
			this.parts.setLength(0);
			if (!this.left) {
				this.events.received(this, text);
			}
		}
		return null;
	}

	@Override
	public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
		this.heard = true;
		return null;
	}

	@Override
	public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
		lost(code, reason);
		return null;
	}

	@Override
	public void onError(WebSocket from, Throwable error) {
		lost(ABNORMAL, "");
	}

	private void lost(int code, String reason) {
		if (!this.left) {
			this.events.lost(this, code, reason);
		}
	}

	/** Events of connections, including abandoned connections. */
	interface Events {

		void opened(Connection connection);

		void received(Connection connection, String text);

		void lost(Connection connection, int code, String reason);

	}

}
