package dev.sluice.websocket.endpoint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mode;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.ThrottleGate;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.TestSettings;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** Permits that a call would have kept, if it had been made. */
class KeptPermitsTests {

	private final Queue<Runnable> grants = new ArrayDeque<>();

	private final ThrottlingManager limits = ThrottlingManager.builder().completionExecutor(this.grants::add).build();

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final SequentialLeveledTaskExecutor outbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final WebSocketDispatcher dispatcher = WebSocketDispatcher
		.builder(this.inbound, this.outbound, Runnable::run)
		.settings(TestSettings.of(TestSettings.NOT_BLOCKING))
		.control(Runnable::run)
		.gate(ThrottleGate.builder(this.limits).build())
		.build();

	private final List<String> handled = new ArrayList<>();

	private final StubSession client = new StubSession("1");

	KeptPermitsTests() {
		this.limits.addOrUpdate("slots", Limit.semaphore(1));
	}

	@Test
	void aHandlersCallThatIsMadeKeepsItsPermit() throws Exception {
		WebSocketHandler handler = this.dispatcher.decorate(new Keeping());
		handler.afterConnectionEstablished(this.client);
		handler.handleMessage(this.client, new TextMessage("message"));
		assertThat(this.handled).containsExactly("message");
		assertThat(used()).isEqualTo(1);
	}

	@Test
	void aHandlersCallThatIsNotMadeAsItsSessionClosesKeepsNone() throws Exception {
		leavesNone(this.dispatcher.decorate(new Keeping()), "message", () -> close());
	}

	@Test
	void aHandlersCallThatIsNotMadeAsItsClientHasLeftKeepsNone() throws Exception {
		WebSocketHandler handler = this.dispatcher.decorate(new Keeping());
		leavesNone(handler, "message", () -> leave(handler));
	}

	@Test
	void anEndpointsCallThatIsNotMadeAsItsSessionClosesKeepsNone() throws Exception {
		leavesNone(endpoint(), "message", () -> close());
	}

	@Test
	void anEndpointsCallThatIsNotMadeAsItsClientHasLeftKeepsNone() throws Exception {
		WebSocketHandler handler = endpoint();
		leavesNone(handler, "message", () -> leave(handler));
	}

	private void leavesNone(WebSocketHandler handler, String message, Callable<?> end) throws Exception {
		handler.afterConnectionEstablished(this.client);
		Permit held = this.limits.tryAcquire(AcquireRequest.of("slots", "")).permit();
		handler.handleMessage(this.client, new TextMessage(message));
		held.close();
		end.call();
		for (Runnable grant = this.grants.poll(); grant != null; grant = this.grants.poll()) {
			grant.run();
		}
		assertThat(this.handled).isEmpty();
		assertThat(used()).isZero();
	}

	private Object close() {
		return this.dispatcher.sessions().closeAll(CloseStatus.NORMAL);
	}

	private Object leave(WebSocketHandler handler) throws Exception {
		handler.afterConnectionClosed(this.client, CloseStatus.NO_CLOSE_FRAME);
		return this.client;
	}

	private long used() {
		return this.limits.get("slots").state("").used();
	}

	private WebSocketHandler endpoint() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("keeping",
				BeanDefinitionBuilder
					.genericBeanDefinition(KeepingSession.class, () -> new KeepingSession(this.handled))
					.setScope("prototype")
					.getBeanDefinition());
		return EndpointHandler.ordered(KeepingSession.class, this.dispatcher.context(),
				new ConnectedSessions(new SessionObjects(beans, "keeping"), this.dispatcher.context().messages()));
	}

	private final class Keeping extends TextWebSocketHandler {

		@Override
		@Semaphore(value = "slots", mode = Mode.ACQUIRE, owner = "'owner'")
		@WhenThrottled(action = Action.WAIT, maxWait = "1h")
		public void handleTextMessage(WebSocketSession session, TextMessage message) {
			KeptPermitsTests.this.handled.add(message.getPayload());
		}

	}

	static class KeepingSession extends ManagedSession {

		private final List<String> handled;

		KeepingSession(List<String> handled) {
			this.handled = handled;
		}

		@OnMessage
		@Semaphore(value = "slots", mode = Mode.ACQUIRE, owner = "'owner'")
		@WhenThrottled(action = Action.WAIT, maxWait = "1h")
		void handle(String message) {
			this.handled.add(message);
		}

	}

}
