package dev.sluice.websocket.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.execution.ExecutorSnapshot;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.message.WrittenMessage;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.TextMessage;

/**
 * Shutdown of all sessions within a time limit.
 *
 * @param sessions the sessions that are ended
 * @param admission takes no more of them
 * @param inbound handles the waiting messages
 */
public record SessionShutdown(SessionRegistry sessions, SessionAdmission admission,
		SequentialLeveledTaskExecutor inbound) {

	/** Share of the time in which sessions that resume elsewhere are closed. */
	private static final int SPREAD_PERCENT = 80;

	private static final long MAX_PAUSE_MILLIS = 500;

	/**
	 * Makes a resuming client reconnect soon, because the clients are notified one after
	 * the other.
	 */
	private static final WrittenMessage GOODBYE = new WrittenMessage(
			new TextMessage("{\"type\":\"goodbye\",\"reconnect\":[0.1,1.0]}"), "goodbye", false);

	private static final Log logger = LogFactory.getLog(SessionShutdown.class);

	/** Admits sessions again after a shutdown. */
	public void revoke() {
		this.admission.open();
	}

	/**
	 * Accepts no more sessions or messages, lets each session handle and send its waiting
	 * messages, and then closes it. Sessions that have not ended when the time is over
	 * are cut off. A session whose handshake is under way opens, and is closed at once.
	 * @param time the time for the whole shutdown, of which the last second, or quarter,
	 * is for cutting sessions off
	 * @return ends when all sessions have ended, or the time is over
	 */
	public CompletableFuture<@Nullable Void> drainAndClose(Duration time) {
		CompletableFuture<@Nullable Void> handshakes = this.admission.close();
		this.sessions.open()
			.stream()
			.filter((session) -> !session.outbound().isNumbered())
			.forEach((session) -> session.drainAndClose(CloseStatuses.STOPPING));
		sayGoodbye(time);
		CompletableFuture<?> late = handshakes.thenCompose((none) -> this.sessions.ended());
		long cutOffMillis = Math.min(1_000, time.toMillis() / 4);
		CompletableFuture<@Nullable Void> all = SessionRegistry
			.all(List.of(this.sessions.ended(), this.inbound.drain(), late));
		return all.copy()
			.orTimeout(time.toMillis() - cutOffMillis, TimeUnit.MILLISECONDS)
			.exceptionallyCompose((ex) -> {
				this.sessions.open().forEach((session) -> session.outbound().terminate(CloseStatuses.STOPPING, ex));
				return all.copy().completeOnTimeout(null, cutOffMillis, TimeUnit.MILLISECONDS);
			})
			.whenComplete((nothing, failure) -> {
				if (!all.isDone()) {
					warnOfLost(time);
				}
			});
	}

	/**
	 * Closes sessions that clients resume elsewhere one after the other, so that the
	 * other nodes do not receive the requests for all of them at once. Each session is
	 * served until then.
	 */
	private void sayGoodbye(Duration time) {
		List<OrderedWebSocketSession> resumable = this.sessions.open()
			.stream()
			.filter((session) -> session.outbound().isNumbered())
			.toList();
		long spread = Math.min(time.toMillis() * SPREAD_PERCENT / 100, MAX_PAUSE_MILLIS * resumable.size());
		for (int number = 0; number < resumable.size(); number++) {
			OrderedWebSocketSession session = resumable.get(number);
			long delay = spread * number / resumable.size();
			CompletableFuture.delayedExecutor(delay, TimeUnit.MILLISECONDS).execute(() -> {
				session.outbound().send(GOODBYE, Level.HIGH);
				session.drainAndClose(CloseStatuses.STOPPING);
			});
		}
	}

	/** Logs the tasks that the application no longer waits for. */
	private void warnOfLost(Duration time) {
		ExecutorSnapshot left = this.inbound.snapshot(0);
		logger.warn("Not everything was handled within " + time + " (messages that wait and are lost: "
				+ (left.waitingHigh() + left.waitingNormal()) + ", messages whose handling may be interrupted: "
				+ (left.running() + left.held()) + ", sessions: " + this.sessions.unended().size() + ")");
	}

}
