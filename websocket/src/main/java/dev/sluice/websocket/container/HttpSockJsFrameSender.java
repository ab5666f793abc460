package dev.sluice.websocket.container;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.sluice.internal.FatalErrors;
import dev.sluice.websocket.SessionClosedException;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.sockjs.transport.session.AbstractHttpSockJsSession;

/**
 * Sender to a client of SockJS over HTTP, which fetches its messages by requests. Between
 * two requests no message is passed to the session, which would accept a hundred
 * messages, count no bytes, and reject any further message.
 */
public final class HttpSockJsFrameSender implements FrameSender {

	/*
	 * A message that finds no request is parked, and with it the session's outbound
	 * queue. The next request takes it out before the request is served, and all that
	 * wait behind it: the session keeps them for that moment, and sends them with the
	 * request. A thread that parks a message then checks for a request, and a thread with
	 * a request checks for a parked message, so that one of the two detects the other.
	 *
	 * A message goes out on a worker, which waits in the container for a client that does
	 * not read, with the session's lock. Closing the session requires that lock, so it
	 * waits for the end of "writing", without a thread. Attacked by
	 * SockJsTransportsTests.
	 */

	/** Maximum time that a close waits for the request that delivers it to the client. */
	private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

	private final AbstractHttpSockJsSession session;

	private final Executor workers;

	private final AtomicReference<@Nullable Transfer> parked = new AtomicReference<>();

	/** Ends with the next request; present while a close waits for it. */
	private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> request = new AtomicReference<>();

	/** The transfer that a worker is writing. */
	private volatile @Nullable Transfer writing;

	/** The thread with a request, while it removes the messages that wait for it. */
	private volatile @Nullable Thread bringing;

	public HttpSockJsFrameSender(AbstractHttpSockJsSession session, Executor workers) {
		this.session = session;
		this.workers = workers;
	}

	@Override
	public CompletableFuture<@Nullable Void> send(WebSocketMessage<?> message, Runnable begun) {
		Transfer transfer = new Transfer(message, begun, new CompletableFuture<>());
		if (this.bringing == Thread.currentThread()) {
			give(transfer);
		}
		else {
			park(transfer);
		}
		return transfer.sent();
	}

	@Override
	public void requestComes() {
		if (this.session.isActive()) {
			return;
		}
		Transfer first = this.parked.getAndSet(null);
		if (first != null) {
			this.bringing = Thread.currentThread();
			try {
				give(first);
			}
			finally {
				this.bringing = null;
			}
		}
	}

	@Override
	public void requestCame() {
		if (!this.session.isActive()) {
			return;
		}
		Transfer first = this.parked.getAndSet(null);
		if (first != null) {
			write(first);
		}
		CompletableFuture<@Nullable Void> awaited = this.request.getAndSet(null);
		if (awaited != null) {
			awaited.complete(null);
		}
	}

	@Override
	public CompletableFuture<@Nullable Void> beforeClose(Duration patience) {
		Transfer rejected = this.parked.getAndSet(null);
		if (rejected != null) {
			rejected.sent().completeExceptionally(new SessionClosedException(this.session.getId()));
		}
		Transfer last = this.writing;
		CompletableFuture<@Nullable Void> idle = (last != null) ? last.sent().exceptionally((failure) -> null)
				: CompletableFuture.completedFuture(null);
		return idle.thenCompose((nothing) -> nextRequest(patience));
	}

	/** Waits for a request, up to a time limit, and does not fail without one. */
	private CompletableFuture<@Nullable Void> nextRequest(Duration patience) {
		CompletableFuture<@Nullable Void> next = new CompletableFuture<>();
		this.request.set(next);
		if (this.session.isActive() || !this.session.isOpen() || patience.isZero()) {
			next.complete(null);
		}
		long millis = Math.min(patience.toMillis(), CLOSE_PATIENCE.toMillis());
		return next.completeOnTimeout(null, millis, TimeUnit.MILLISECONDS);
	}

	private void park(Transfer transfer) {
		this.parked.set(transfer);
		if (this.session.isActive() && this.parked.compareAndSet(transfer, null)) {
			write(transfer);
		}
	}

	private void write(Transfer transfer) {
		this.writing = transfer;
		try {
			this.workers.execute(() -> {
				if (this.session.isActive() || !this.session.isOpen()) {
					transfer.begun().run();
					give(transfer);
				}
				else {
					this.writing = null;
					park(transfer);
				}
			});
		}
		catch (RuntimeException ex) {
			this.writing = null;
			transfer.sent().completeExceptionally(ex);
		}
	}

	/** Passes a message to the session, which rejects it if it has too many. */
	private void give(Transfer transfer) {
		try {
			this.session.sendMessage(transfer.message());
			end(transfer, null);
		}
		catch (Throwable ex) {
			if (ex instanceof IllegalStateException && this.session.isOpen()) {
				this.writing = null;
				park(transfer);
			}
			else {
				end(transfer, ex);
				FatalErrors.passOn(ex);
			}
		}
	}

	private void end(Transfer transfer, @Nullable Throwable failure) {
		this.writing = null;
		if (failure != null) {
			transfer.sent().completeExceptionally(failure);
		}
		else {
			transfer.sent().complete(null);
		}
	}

	/**
	 * A message on its way.
	 *
	 * @param begun run when a worker begins to write it
	 * @param sent ends when the session has accepted it for a request
	 */
	private record Transfer(WebSocketMessage<?> message, Runnable begun, CompletableFuture<@Nullable Void> sent) {
	}

}
