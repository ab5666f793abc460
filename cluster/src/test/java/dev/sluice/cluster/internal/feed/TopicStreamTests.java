package dev.sluice.cluster.internal.feed;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;

import dev.sluice.bus.Position;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.message.WrittenMessage;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.settings.InboundLimits;
import dev.sluice.websocket.settings.TestSettings;
import dev.sluice.websocket.settings.TotalLimits;
import org.junit.jupiter.api.Test;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** A stream beside the total of what may wait in all sessions. */
class TopicStreamTests {

	private final Queue<Runnable> sending = new ArrayDeque<>();

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final SequentialLeveledTaskExecutor outbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final WebSocketDispatcher dispatcher = WebSocketDispatcher
		.builder(this.inbound, this.outbound, this.sending::add)
		.settings(TestSettings.of(
				TestSettings.limits(new InboundLimits(1_000, 0, 1_000_000, false), SendOverflow.CATCH_UP),
				new TotalLimits(5_000, 5_000)))
		.control(this.sending::add)
		.build();

	@Test
	void whoJustDropsWhatIsTooMuchIsNotCutOff() throws Exception {
		StubSession client = new StubSession("slow");
		WebSocketHandler handler = this.dispatcher.decorate(new TextWebSocketHandler());
		handler.afterConnectionEstablished(client);
		OrderedWebSocketSession slow = Objects.requireNonNull(this.dispatcher.context().sessions().find(client));
		TopicStream stream = new TopicStream(slow, Objects.requireNonNull(slow.outbound().streams()), null, (ready) -> {
		});
		this.dispatcher.sessions().get("slow").orElseThrow().post("x".repeat(4_900 - MessageCost.SENT));
		stream.send(new WrittenMessage(new TextMessage("missed"), null), new Position(1, "node"));
		assertThat(slow.isOpen()).isTrue();
		assertThat(stream.begin()).isNotNull();
	}

}
