package dev.sluice.websocket.outbound;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.message.WrittenMessage;
import dev.sluice.websocket.settings.SendLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.web.socket.TextMessage;

import static org.assertj.core.api.Assertions.assertThat;

/** A client that stalls, with room for three small messages. */
class DroppableStreamTests {

	private final Queue<Runnable> sending = new ArrayDeque<>();

	private final StubSession session = new StubSession("session");

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final SessionOutbound outbound = new SessionOutbound(this.session, this.executor.queue("session"),
			"handler", new SendLimits(Duration.ofSeconds(10), 3 * MessageCost.SENT + 10), () -> {
			}, TestOutbound.resources(this.sending::add, new SettableClock(), SendOverflow.DROP_OLDEST, null));

	private final DroppableStream stream = streamOf(this.outbound);

	private static DroppableStream streamOf(SessionOutbound outbound) {
		DroppableStream stream = outbound.droppable();
		assertThat(stream).isNotNull();
		return stream;
	}

	@Test
	void consecutiveMessagesAreReplacedByOneGapInTheirPlace() {
		post("sending");
		CompletableFuture<?> one = publish(1);
		CompletableFuture<?> two = publish(2);
		CompletableFuture<?> three = publish(3);
		assertThat(one).isNotDone();
		post("d1");
		post("d2");
		assertDropped(one, two);
		assertThat(this.executor.snapshot(0).dropped()).isEqualTo(2);
		take();
		assertThat(three).isCompleted();
		assertThat(this.session.sent).containsExactly("sending", "gap 2", "3", "d1", "d2");
		assertThat(this.outbound.waiting()).isZero();
	}

	@Test
	void aGapUsesNoRoom() {
		post("sending");
		CompletableFuture<?> one = publish(1);
		post("d1");
		post("d2");
		post("d3");
		assertDropped(one);
		take();
		assertThat(this.session.sent).containsExactly("sending", "gap 1", "d1", "d2", "d3");
	}

	@Test
	void aMessageWithoutRoomIsReplacedByAGapAfterTheMessagesThatWait() {
		post("sending");
		urgent("u1");
		urgent("u2");
		urgent("u3");
		assertDropped(publish(1), publish(2));
		take();
		assertThat(this.session.sent).containsExactly("sending", "u1", "u2", "u3", "gap 2");
		assertThat(publish(3)).isNotDone();
		take();
		assertThat(this.session.sent).endsWith("gap 2", "3");
	}

	@Test
	void aGapThatFollowsDroppedMessagesIsSentOnce() {
		post("sending");
		CompletableFuture<?> one = publish(1);
		this.stream.sendGap(gap(2));
		post("d1");
		post("d2");
		post("d3");
		assertDropped(one);
		post("d4");
		take();
		assertThat(this.session.sent).containsExactly("sending", "gap 2", "d2", "d3", "d4");
	}

	@Test
	void messagesLostAfterTheGapHasBegunHaveAnotherGap() {
		post("sending");
		publish(1);
		post("d1");
		post("d2");
		post("d3");
		this.sending.remove().run();
		assertThat(this.session.sent).containsExactly("sending");
		urgent("u1");
		urgent("u2");
		urgent("u3");
		assertDropped(publish(2));
		take();
		assertThat(this.session.sent).containsExactly("sending", "gap 1", "u1", "u2", "u3", "gap 2");
	}

	private void post(String text) {
		this.outbound.send(new TextMessage(text), Level.NORMAL);
	}

	private void urgent(String text) {
		this.outbound.send(new TextMessage(text), Level.HIGH);
	}

	private CompletableFuture<@Nullable Void> publish(int position) {
		return this.stream.send(text(Integer.toString(position)), gap(position));
	}

	private static Supplier<WrittenMessage> gap(int position) {
		return () -> text("gap " + position);
	}

	private static WrittenMessage text(String text) {
		return new WrittenMessage(new TextMessage(text), null, false);
	}

	private static void assertDropped(CompletableFuture<?>... futures) {
		for (CompletableFuture<?> future : futures) {
			assertThat(future).isCompletedExceptionally();
			assertThat(future.handle((nothing, failure) -> failure).join()).isInstanceOf(TaskDroppedException.class);
		}
	}

	private void take() {
		while (!this.sending.isEmpty()) {
			this.sending.remove().run();
		}
	}

}
