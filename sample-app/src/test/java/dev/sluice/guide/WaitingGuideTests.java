package dev.sluice.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.execution.QueueState;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** What the table in {@code docs/annotations.md} says is held while a call waits. */
class WaitingGuideTests {

	private static ConfigurableApplicationContext application;

	@BeforeAll
	static void start() {
		application = new SpringApplicationBuilder(Application.class).run("--spring.config.name=none",
				"--server.port=0");
	}

	@AfterAll
	static void close() {
		application.close();
	}

	@Test
	void holdsWhileItWaitsWhatThePageSays() throws IOException, InterruptedException {
		Methods methods = application.getBean(Methods.class);
		List<String> rows = new ArrayList<>();
		rows.add("any other | `WAIT` | " + heldBy(methods::plain));
		rows.add("returns a `CompletionStage`, `Mono`, `Flux` or `Flow`; a `suspend` function | `WAIT`, `RETRY` | "
				+ both(heldBy(methods::stage), heldBy(methods::stageAgain)));
		rows.add("`@Async` | `WAIT`, `RETRY` | " + both(heldBy(methods::async), heldBy(methods::asyncAgain)));
		rows.add("handler of messages | `WAIT`, `RETRY` | "
				+ both(heldByAMessage("/waiting"), heldByAMessage("/again")));
		rows.add("any | `REJECT`, `DROP` | nothing, as the call ends at once");
		try (Permit held = throttle().tryAcquire().permit()) {
			assertThat(held).isNotNull();
			assertThatExceptionOfType(ThrottledException.class).isThrownBy(methods::reject);
			methods.drop();
		}
		assertThat(rows()).containsExactlyElementsOf(rows);
	}

	private static String both(String waiting, String retrying) {
		assertThat(retrying).isEqualTo(waiting);
		return waiting;
	}

	private static List<String> rows() throws IOException {
		String page = Files.readString(Path.of("../docs/annotations.md"));
		return page.substring(page.indexOf("<!-- held -->"))
			.lines()
			.skip(3)
			.takeWhile((line) -> line.startsWith("|"))
			.map((line) -> line.substring(2, line.length() - 2))
			.toList();
	}

	/** Makes a call that finds no permit, and looks at what it holds. */
	private static String heldBy(Runnable call) throws InterruptedException {
		int made = application.getBean(Methods.class).calls();
		Permit held = throttle().tryAcquire().permit();
		long rejected = rejected();
		Thread caller = new Thread(call);
		caller.start();
		await().until(() -> throttle().state("").waiting() == 1 || rejected() > rejected);
		await().until(() -> !caller.isAlive() || caller.getState() == Thread.State.WAITING
				|| caller.getState() == Thread.State.TIMED_WAITING);
		boolean blocks = caller.isAlive();
		boolean occupies = pool().getActiveCount() > 0;
		held.close();
		caller.join(SocketClient.PATIENCE.toMillis());
		await().until(() -> application.getBean(Methods.class).calls() > made && throttle().state("").used() == 0);
		return blocks ? "the thread of its caller" : occupies ? "a thread of its executor" : "nothing";
	}

	private static String heldByAMessage(String path) throws InterruptedException {
		Permit held = throttle().tryAcquire().permit();
		long rejected = rejected();
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		SequentialLeveledTaskExecutor inbound = application.getBean("sluiceInbound",
				SequentialLeveledTaskExecutor.class);
		try (SocketClient client = new SocketClient(port, path)) {
			client.send("first");
			await().until(() -> throttle().state("").waiting() == 1 || rejected() > rejected);
			await().until(() -> inbound.snapshot(1).running() == 0);
			boolean queue = inbound.snapshot(1).deepest().get(0).state() == QueueState.HELD;
			held.close();
			assertThat(client.next()).isEqualTo("done first");
			return queue ? "the queue of its session" : "nothing";
		}
	}

	private static Throttle throttle() {
		return application.getBean(ThrottlingManager.class).get("slow");
	}

	private static long rejected() {
		return throttle().snapshot(0).rejected();
	}

	private static ThreadPoolTaskExecutor pool() {
		return application.getBean(ThreadPoolTaskExecutor.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableAsync
	@Import({ Methods.class, Waiting.class, Again.class })
	static class Application {

		@Bean
		ThreadPoolTaskExecutor taskExecutor() {
			ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
			executor.setCorePoolSize(1);
			executor.setMaxPoolSize(1);
			return executor;
		}

	}

	static class Methods {

		private final AtomicInteger calls = new AtomicInteger();

		public int calls() {
			return this.calls.get();
		}

		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "20s")
		public void plain() {
			this.calls.incrementAndGet();
		}

		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "20s")
		public CompletionStage<String> stage() {
			this.calls.incrementAndGet();
			return CompletableFuture.completedFuture("done");
		}

		@Mutex("slow")
		@WhenThrottled(action = Action.RETRY, delay = "5ms", maxRetries = 10_000)
		public CompletionStage<String> stageAgain() {
			return stage();
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.RETRY, delay = "5ms", maxRetries = 10_000)
		public void asyncAgain() {
			this.calls.incrementAndGet();
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "20s")
		public void async() {
			this.calls.incrementAndGet();
		}

		@Mutex("slow")
		public void reject() {
		}

		@Mutex("slow")
		@WhenThrottled(action = Action.DROP)
		public void drop() {
		}

	}

	@WebSocketEndpoint(path = "/again")
	static class Again extends ManagedSession {

		@OnMessage
		@Mutex("slow")
		@WhenThrottled(action = Action.RETRY, delay = "5ms", maxRetries = 10_000)
		String handle(String message) {
			return "done " + message;
		}

	}

	@WebSocketEndpoint(path = "/waiting")
	static class Waiting extends ManagedSession {

		@OnMessage
		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "20s")
		String handle(String message) {
			return "done " + message;
		}

	}

}
