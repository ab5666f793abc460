package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.sluice.annotation.Throttled;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.container.TomcatUpgradeHandler;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Stacks of methods that handle messages, on real sockets: a message goes from one class
 * to the next, and does not come back to a class that it has left.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class MessageFramesTests {

	private static final Queue<List<String>> stacks = new ConcurrentLinkedQueue<>();

	@LocalServerPort
	private int port;

	@Test
	void aMessageOfAHandlerEntersEachClassOnce() {
		List<String> stack = stackOf("/handler");

		assertThat(stack).hasSizeLessThanOrEqualTo(14);
		assertThat(entered(stack)).doesNotHaveDuplicates();
	}

	@Test
	void aMessageOfALimitedMethodHasFewFrames() {
		assertThat(stackOf("/typed")).hasSizeLessThanOrEqualTo(22);
	}

	/** The frames of ours while the thread that has read a message handles it. */
	private List<String> stackOf(String path) {
		try (SocketClient client = new SocketClient(this.port, path)) {
			return await().until(() -> {
				client.send("message");
				client.next();
				return stacks.remove();
			}, (stack) -> stack.contains(TomcatUpgradeHandler.class.getName() + ".upgradeDispatch"));
		}
	}

	/** The classes of consecutive frames. */
	private static List<String> entered(List<String> stack) {
		List<String> entered = new ArrayList<>();
		for (String frame : stack) {
			String type = frame.substring(0, frame.lastIndexOf('.'));
			if (entered.isEmpty() || !entered.get(entered.size() - 1).equals(type)) {
				entered.add(type);
			}
		}
		return entered;
	}

	private static void capture() {
		stacks.add(StackWalker.getInstance()
			.walk((frames) -> frames.filter((frame) -> frame.getClassName().startsWith("dev.sluice."))
				.filter((frame) -> !frame.getClassName().startsWith(MessageFramesTests.class.getName()))
				.map((frame) -> frame.getClassName() + "." + frame.getMethodName())
				.toList()));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import(TypedSession.class)
	static class Application {

		@Bean
		static ThrottlingManager throttlingManager() {
			ThrottlingManager manager = ThrottlingManager.builder().build();
			manager.addOrUpdate("messages", Limit.slidingLog(100, Duration.ofHours(1)));
			return manager;
		}

		@Bean
		WebSocketConfigurer handlers() {
			return (registry) -> registry.addHandler(new Handler(), "/handler");
		}

	}

	static class Handler extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			capture();
			session.sendMessage(message);
		}

	}

	@WebSocketEndpoint("/typed")
	static class TypedSession extends ManagedSession {

		@OnMessage
		@Throttled("messages")
		String handle(String text) {
			capture();
			return text;
		}

	}

}
