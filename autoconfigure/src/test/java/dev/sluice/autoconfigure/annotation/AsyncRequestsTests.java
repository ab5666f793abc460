package dev.sluice.autoconfigure.annotation;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import dev.sluice.annotation.Mutex;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Permits of requests whose handler method has returned, and which go on. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "server.shutdown=immediate")
class AsyncRequestsTests {

	@LocalServerPort
	private int port;

	@Autowired
	private ThrottlingManager manager;

	@Autowired
	private Results results;

	@BeforeEach
	void startAnew() {
		soon().until(() -> state().used() == 0);
		this.results.end = new CompletableFuture<>();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/callable", "/task", "/deferred", "/emitter", "/sse", "/streaming", "/entity", "/object",
			"/function", "/stage" })
	void permitIsHeldUntilTheResultHasEnded(String path) {
		CompletableFuture<Integer> first = get(path);
		soon().until(() -> state().used() == 1 && this.results.started);
		assertThat(get(path)).succeedsWithin(SocketClient.PATIENCE).isEqualTo(429);
		assertThat(state().used()).isOne();
		this.results.end.complete("done");
		assertThat(first).succeedsWithin(SocketClient.PATIENCE).isEqualTo(200);
		soon().until(() -> state().used() == 0);
		assertThat(get(path)).succeedsWithin(SocketClient.PATIENCE).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/callable", "/task", "/deferred", "/emitter", "/sse", "/streaming", "/entity", "/object",
			"/function", "/stage" })
	void whenTheResultFailsThenThePermitIsReleased(String path) {
		CompletableFuture<Integer> first = get(path);
		soon().until(() -> state().used() == 1 && this.results.started);
		this.results.end.completeExceptionally(new IllegalStateException("expected"));
		assertThat(first.handle((status, failure) -> true)).succeedsWithin(SocketClient.PATIENCE);
		soon().until(() -> state().used() == 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/deferred-shortly", "/sse-shortly" })
	void whenTheRequestTimesOutThenThePermitIsReleased(String path) {
		CompletableFuture<Integer> first = get(path);
		soon().until(() -> state().used() == 1 && this.results.started);
		assertThat(first.handle((status, failure) -> true)).succeedsWithin(SocketClient.PATIENCE);
		soon().until(() -> state().used() == 0);
	}

	@Test
	void callableThatGoesOnAfterItsRequestTimedOutHoldsItsPermit() {
		CompletableFuture<Integer> first = get("/task-shortly");
		soon().until(() -> state().used() == 1 && this.results.started);
		assertThat(first).succeedsWithin(SocketClient.PATIENCE).isEqualTo(503);
		assertThat(state().used()).isOne();
		this.results.end.complete("done");
		soon().until(() -> state().used() == 0);
	}

	@Tag("tomcat")
	@Test
	void whenTheClientHasGoneThenThePermitIsReleased() throws IOException {
		try (Socket socket = new Socket("localhost", this.port)) {
			socket.getOutputStream()
				.write("GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			soon().until(() -> state().used() == 1 && this.results.started);
			socket.setSoLinger(true, 0);
		}
		soon().until(() -> {
			this.results.ping();
			return state().used() == 0;
		});
	}

	@Test
	void whenThereIsNoResultThenThePermitIsReleased() {
		assertThat(get("/none")).succeedsWithin(SocketClient.PATIENCE).isEqualTo(200);
		soon().until(() -> state().used() == 0);
	}

	private static ConditionFactory soon() {
		return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
	}

	private KeyState state() {
		return this.manager.get("work").state("");
	}

	private CompletableFuture<Integer> get(String path) {
		this.results.started = false;
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path)).build();
		return HttpClient.newHttpClient()
			.sendAsync(request, HttpResponse.BodyHandlers.ofString())
			.thenApply(HttpResponse::statusCode);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Controller.class, Function.class })
	static class Application {

		@Bean
		Results results() {
			return new Results();
		}

		@Bean
		RouterFunction<ServerResponse> routes(Function function) {
			return RouterFunctions.route().GET("/function", function::handle).build();
		}

	}

	/** Ends the results of all handlers. */
	static class Results {

		private volatile CompletableFuture<String> end = new CompletableFuture<>();

		private volatile boolean started;

		private volatile SseEmitter emitter = new SseEmitter();

		CompletableFuture<String> start() {
			this.started = true;
			return this.end;
		}

		String await() {
			return start().join();
		}

		void ping() {
			try {
				this.emitter.send("ping");
			}
			catch (IOException | IllegalStateException ex) {
				// The client has gone
			}
		}

	}

	@RestController
	static class Controller {

		private final Results results;

		Controller(Results results) {
			this.results = results;
		}

		@GetMapping("/callable")
		@Mutex("work")
		Callable<String> callable() {
			return this.results::await;
		}

		@GetMapping("/task")
		@Mutex("work")
		WebAsyncTask<String> task() {
			return new WebAsyncTask<>(this.results::await);
		}

		@GetMapping("/task-shortly")
		@Mutex("work")
		WebAsyncTask<String> taskShortly() {
			return new WebAsyncTask<>(10, () -> {
				CompletableFuture<String> end = this.results.start();
				soon().until(end::isDone);
				return end.join();
			});
		}

		@GetMapping("/deferred")
		@Mutex("work")
		DeferredResult<String> deferred() {
			return deferred(new DeferredResult<>());
		}

		@GetMapping("/deferred-shortly")
		@Mutex("work")
		DeferredResult<String> deferredShortly() {
			return deferred(new DeferredResult<>(10L));
		}

		private DeferredResult<String> deferred(DeferredResult<String> result) {
			this.results.start().whenComplete((value, failure) -> {
				if (failure != null) {
					result.setErrorResult(failure);
				}
				else {
					result.setResult(value);
				}
			});
			return result;
		}

		@GetMapping("/emitter")
		@Mutex("work")
		ResponseBodyEmitter emitter() {
			return emit(new ResponseBodyEmitter());
		}

		@GetMapping("/sse")
		@Mutex("work")
		SseEmitter sse() {
			this.results.emitter = new SseEmitter();
			return emit(this.results.emitter);
		}

		@GetMapping("/sse-shortly")
		@Mutex("work")
		SseEmitter sseShortly() {
			return emit(new SseEmitter(10L));
		}

		private <T extends ResponseBodyEmitter> T emit(T emitter) {
			this.results.start().whenComplete((value, failure) -> {
				if (failure != null) {
					emitter.completeWithError(failure);
				}
				else {
					emitter.complete();
				}
			});
			return emitter;
		}

		@GetMapping("/streaming")
		@Mutex("work")
		StreamingResponseBody streaming() {
			return (output) -> output.write(this.results.await().getBytes(StandardCharsets.UTF_8));
		}

		@GetMapping("/entity")
		@Mutex("work")
		ResponseEntity<StreamingResponseBody> entity() {
			return ResponseEntity.ok(streaming());
		}

		@GetMapping("/object")
		@Mutex("work")
		Object object() {
			return (Callable<String>) this.results::await;
		}

		@GetMapping("/none")
		@Mutex("work")
		ResponseEntity<StreamingResponseBody> none() {
			return ResponseEntity.ok().build();
		}

		@GetMapping("/stage")
		@Mutex("work")
		CompletableFuture<String> stage() {
			return this.results.start();
		}

	}

	static class Function {

		private final Results results;

		Function(Results results) {
			this.results = results;
		}

		@Mutex("work")
		public ServerResponse handle(ServerRequest request) {
			return ServerResponse.async(this.results.start().thenApply((value) -> ServerResponse.ok().body(value)));
		}

	}

}
