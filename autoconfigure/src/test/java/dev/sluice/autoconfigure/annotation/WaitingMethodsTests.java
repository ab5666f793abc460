package dev.sluice.autoconfigure.annotation;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.ThrottlingTemplate;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a method knows, and where it runs, whether or not its call had to wait. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class WaitingMethodsTests {

	@LocalServerPort
	private int port;

	@Autowired
	private ThrottlingManager manager;

	@Autowired
	private Service service;

	@ParameterizedTest
	@ValueSource(strings = { "/stage", "/template", "/mono" })
	void whatTheCallerKnowsIsKnownToAMethodThatDidNotWait(String path) {
		assertThat(get(path)).succeedsWithin(SocketClient.PATIENCE).isEqualTo("alice alice " + path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/stage", "/template", "/mono" })
	void whatTheCallerKnowsIsKnownToAMethodThatWaited(String path) {
		Permit held = throttle().tryAcquire().permit();
		CompletableFuture<String> answer = get(path);
		awaitLine();
		held.close();
		assertThat(answer).succeedsWithin(SocketClient.PATIENCE).isEqualTo("alice alice " + path);
	}

	@Test
	void threadThatWentOnWithACallKnowsNothingOfItAfterwards() {
		Permit held = throttle().tryAcquire().permit();
		CompletableFuture<String> answer = get("/stage");
		awaitLine();
		CompletableFuture<Permit> next = throttle().acquire("", 1, SocketClient.PATIENCE);
		CompletableFuture<String> after = next.thenApply((permit) -> {
			permit.close();
			return known();
		});
		held.close();
		assertThat(answer).succeedsWithin(SocketClient.PATIENCE).isEqualTo("alice alice /stage");
		assertThat(after).succeedsWithin(SocketClient.PATIENCE).isEqualTo("null null null");
	}

	@Test
	void asynchronousMethodRunsOnTheExecutorOfTheApplicationThoughItWaited() {
		assertThat(this.service.thread()).succeedsWithin(SocketClient.PATIENCE).asString().startsWith("application-");
		Permit held = throttle().tryAcquire().permit();
		CompletableFuture<String> waiting = this.service.thread();
		awaitLine();
		held.close();
		assertThat(waiting).succeedsWithin(SocketClient.PATIENCE).asString().startsWith("application-");
		assertThat(throttle().state("").used()).isZero();
	}

	private Throttle throttle() {
		return this.manager.get("slow");
	}

	private void awaitLine() {
		await().until(() -> throttle().state("").waiting() == 1);
	}

	private CompletableFuture<String> get(String path) {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path)).build();
		return HttpClient.newHttpClient()
			.sendAsync(request, HttpResponse.BodyHandlers.ofString())
			.thenApply(HttpResponse::body);
	}

	private static String known() {
		Authentication user = SecurityContextHolder.getContext().getAuthentication();
		ServletRequestAttributes request = (ServletRequestAttributes) RequestContextHolder.getRequestAttributes();
		return MDC.get("user") + " " + ((user != null) ? user.getName() : null) + " "
				+ ((request != null) ? request.getRequest().getRequestURI() : null);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableAsync
	@Import({ Service.class, Controller.class })
	static class Application {

		@Bean
		SimpleAsyncTaskExecutor applicationTaskExecutor() {
			return new SimpleAsyncTaskExecutor("application-");
		}

		@Bean
		Filter alice() {
			return (request, response, chain) -> {
				MDC.put("user", "alice");
				SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "secret"));
				try {
					chain.doFilter(request, response);
				}
				finally {
					MDC.clear();
					SecurityContextHolder.clearContext();
				}
			};
		}

	}

	static class Service {

		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "20s")
		public CompletionStage<String> stage() {
			return CompletableFuture.completedFuture(known());
		}

		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "20s")
		public Mono<String> mono() {
			return Mono.just(known());
		}

		@Async
		@Mutex("slow")
		@WhenThrottled(action = Action.WAIT, maxWait = "20s")
		public CompletableFuture<String> thread() {
			return CompletableFuture.completedFuture(Thread.currentThread().getName());
		}

	}

	@RestController
	static class Controller {

		private final Service service;

		private final ThrottlingTemplate template;

		Controller(Service service, ThrottlingTemplate template) {
			this.service = service;
			this.template = template;
		}

		@GetMapping("/stage")
		CompletionStage<String> stage() {
			return this.service.stage();
		}

		@GetMapping("/mono")
		Mono<String> mono() {
			return this.service.mono();
		}

		@GetMapping("/template")
		CompletableFuture<String> template() {
			return this.template.callAsync(() -> CompletableFuture.completedFuture(known()),
					AcquireRequest.of("slow").maxWait(SocketClient.PATIENCE));
		}

	}

}
