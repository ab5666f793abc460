package dev.sluice.actuate.endpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.sluice.annotation.BatchListener;
import dev.sluice.autoconfigure.ThrottlingManagerCustomizer;
import dev.sluice.autoconfigure.fixture.PageTable;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The tables of requests and of statuses in {@code docs/operations.md}: each row is asked
 * of a real server.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "management.endpoints.web.exposure.include=throttling",
				"management.endpoint.throttling.access=unrestricted", "management.endpoint.throttling.show-keys=always",
				"sluice.batches.invoices.push-interval=1h", "sluice.websocket.shutdown-timeout=1s" })
class OperationsTablesTests {

	/** Requests with this header are for operators. */
	private static final String SECURED = "X-Secured";

	private static final Pattern CURL = Pattern
		.compile("curl -X (\\w+) [^\\n]*?/actuator/throttling(\\S+)[\\s\\\\]+-d '(.*?)'");

	private static final Pattern PROBLEM = Pattern.compile("\\{ \"status\": 400.*}");

	@LocalServerPort
	private int port;

	@Autowired
	private ThrottlingManager limits;

	@Autowired
	private WebSocketSessionManager sessions;

	@Autowired
	private ObjectProvider<SessionCluster> cluster;

	@TestFactory
	Stream<DynamicTest> requestsDoWhatTheTableSays() {
		return PageTable.of("operations.md", "request | does").row("`GET /throttles/{name}` | one limit", () -> {
			assertThat(json(get("/throttles/commands"))).isEqualTo(json(get("")).at("/throttles/commands"));
			assertThat(json(get("/throttles/commands")).at("/type").asString()).isEqualTo("sliding-log");
		}).row("`GET /throttles/{name}?key=` | one key of it, used or not", () -> {
			this.limits.get("commands").tryAcquire("seen");
			assertThat(json(get("/throttles/commands?key=seen")).at("/used").asInt()).isEqualTo(1);
			assertThat(json(get("/throttles/commands?key=never")).at("/used").asInt()).isZero();
			assertThat(json(get("/throttles/commands?key=never")).at("/key").asString()).isEqualTo("never");
		})
			.row("`POST /throttles/{name}` | changes the limit in the fields that are given, or defines it if it is not"
					+ " there and the `type` is given; answers its new state. With the `action` `remove`: removes it",
					this::limitsAreChangedDefinedAndRemoved)
			.row("`DELETE /throttles/{name}?key=` | forgets what a key of a rate has used", () -> {
				this.limits.get("commands").tryAcquire("forgotten");
				assertThat(delete("/throttles/commands?key=forgotten").getStatusCode().value()).isEqualTo(204);
				assertThat(json(get("/throttles/commands?key=forgotten")).at("/used").asInt()).isZero();
			})
			.row("`DELETE /throttles/{name}?owner=` | releases what an owner holds of a semaphore or mutex; with `key`"
					+ " of that key only", this::ownersAreReleased)
			.row("`GET /batches/{name}` | one batch",
					() -> assertThat(json(get("/batches/invoices"))).isEqualTo(json(get("")).at("/batches/invoices"))
						.isNotEmpty())
			.row("`GET /executors/{name}` | an executor, as `queues` has it",
					() -> assertThat(json(get("/executors/outbound"))).isEqualTo(json(get("")).at("/queues/outbound"))
						.isNotEmpty())
			.row("`POST /executors/{name}` | changes its `maxTasksBeforeYield`, 1 to 10,000; answers its new state",
					() -> {
						assertThat(
								json(post("/executors/own", "{\"maxTasksBeforeYield\":3}")).at("/maxTasksBeforeYield")
									.asInt())
							.isEqualTo(3);
						assertThat(json(get("")).at("/queues/own/maxTasksBeforeYield").asInt()).isEqualTo(3);
					})
			.row("`GET /queues/{id}` | the queues of one id, by executor", () -> withSession((id, client) -> {
				client.send("{\"type\":\"endless\"}");
				await().untilAsserted(
						() -> assertThat(json(get("/queues/" + id)).at("/inbound/state").asString()).isEqualTo("held"));
				assertThat(json(get("/queues/" + id)).propertyNames()).isSubsetOf("inbound", "outbound", "own");
				assertThat(json(get("/queues/" + id)).at("/inbound/id").asString()).isEqualTo(id);
			}))
			.row("`POST /queues/{id}` | does the `action` to the inbound queue: `pause`, `resume` or `drain`",
					() -> withSession((id, client) -> {
						assertThat(
								json(post("/queues/" + id, "{\"action\":\"pause\"}")).at("/inbound/state").asString())
							.isEqualTo("paused");
						client.send("{\"type\":\"hello\"}");
						post("/queues/" + id, "{\"action\":\"resume\"}");
						assertThat(client.next()).isEqualTo("hello");
						post("/queues/" + id, "{\"action\":\"pause\"}");
						client.send("{\"type\":\"hello\"}");
						post("/queues/" + id, "{\"action\":\"drain\"}");
						assertThat(client.next()).isEqualTo("hello");
					}))
			.row("`GET /topics/{name}` | one topic with members on this node", () -> withSession((id, client) -> {
				this.cluster.getObject().topic("room-7").join(this.sessions.get(id).orElseThrow()).join();
				JsonNode topic = json(get("/topics/room-7"));
				assertThat(topic).isEqualTo(json(get("")).at("/cluster/topics/largest/0"));
				assertThat(topic.at("/name").asString()).isEqualTo("room-7");
				assertThat(topic.at("/members").asInt()).isEqualTo(1);
				client.close();
				await().until(() -> get("/topics/room-7").getStatusCode().value() == 404);
			}))
			.row("`GET /sessions/{id}` | one session: its `id`, `type`, `principal` and whether it is `open`",
					() -> withSession((id, client) -> {
						JsonNode session = json(get("/sessions/" + id));
						assertThat(session.propertyNames()).containsExactly("id", "type", "principal", "open");
						assertThat(session.at("/id").asString()).isEqualTo(id);
						assertThat(session.at("/type").asString()).isEqualTo("Echo");
						assertThat(session.at("/principal").asString()).isEqualTo("operator");
						assertThat(session.at("/open").asBoolean()).isTrue();
					}))
			.row("`DELETE /sessions/{id}` | closes the session, with 1008; if its client has left, but a message is"
					+ " still being handled: abandons it", this::sessionsAreClosedOrAbandoned)
			.tests();
	}

	private void limitsAreChangedDefinedAndRemoved() {
		assertThat(get("/throttles/tenant-7").getStatusCode().value()).isEqualTo(404);
		String defined = "{\"type\":\"token-bucket\",\"limit\":5,\"period\":\"1s\",\"capacity\":20}";
		assertThat(json(post("/throttles/tenant-7", defined))).isEqualTo(json(get("/throttles/tenant-7")));
		JsonNode changed = json(post("/throttles/tenant-7", "{\"limit\":6}"));
		assertThat(changed).isEqualTo(json(get("/throttles/tenant-7")));
		assertThat(changed.at("/limit").asInt()).isEqualTo(6);
		assertThat(changed.at("/capacity").asInt()).isEqualTo(20);
		assertThat(post("/throttles/tenant-7", "{\"action\":\"remove\"}").getStatusCode().value()).isEqualTo(204);
		assertThat(this.limits.find("tenant-7")).isEmpty();
	}

	private void ownersAreReleased() {
		for (String key : List.of("a", "b", "c")) {
			this.limits.tryAcquire(AcquireRequest.of("order", key).owner("batch-1"));
		}
		this.limits.tryAcquire(AcquireRequest.of("order", "d").owner("batch-2"));
		assertThat(delete("/throttles/order?owner=batch-1&key=a").getStatusCode().value()).isEqualTo(204);
		assertThat(json(get("/throttles/order")).at("/held").asInt()).isEqualTo(3);
		assertThat(delete("/throttles/order?owner=batch-1").getStatusCode().value()).isEqualTo(204);
		assertThat(json(get("/throttles/order")).at("/held").asInt()).isEqualTo(1);
		delete("/throttles/order?owner=batch-2");
	}

	private void sessionsAreClosedOrAbandoned() throws Exception {
		withSession((id, client) -> {
			delete("/sessions/" + id);
			assertThat(client.closeCode()).isEqualTo(1008);
		});
		withSession((id, client) -> {
			client.send("{\"type\":\"endless\"}");
			await().untilAsserted(
					() -> assertThat(json(get("/queues/" + id)).at("/inbound/state").asString()).isEqualTo("held"));
			client.close();
			await().until(() -> this.sessions.count() == 0);
			assertThat(get("/queues/" + id).getStatusCode().value()).isEqualTo(200);
			assertThat(delete("/sessions/" + id).getStatusCode().value()).isEqualTo(204);
			await().until(() -> get("/queues/" + id).getStatusCode().value() == 404);
		});
	}

	@TestFactory
	Stream<DynamicTest> statusesAreThoseOfTheTable() {
		return PageTable.of("operations.md", "status | when").row("200 | done; the body is the new state", () -> {
			ResponseEntity<String> done = post("/throttles/commands", "{\"dryRun\":false}");
			assertThat(done.getStatusCode().value()).isEqualTo(200);
			assertThat(json(done)).isEqualTo(json(get("/throttles/commands")));
		}).row("204 | done; there is no state to show", () -> {
			this.limits.get("commands").tryAcquire("k");
			ResponseEntity<String> done = delete("/throttles/commands?key=k");
			assertThat(done.getStatusCode().value()).isEqualTo(204);
			assertThat(done.getBody()).isNull();
		}).row("400 | a field is missing, bad or unknown", () -> {
			assertProblem(400, "type", post("/throttles/new", "{\"type\":\"bucket\",\"limit\":1}"));
			assertProblem(400, "period", post("/throttles/new", "{\"type\":\"sliding-log\",\"limit\":1}"));
			assertProblem(400, "limit", post("/throttles/commands", "{\"limit\":0}"));
			assertProblem(400, "limt", post("/throttles/commands", "{\"limt\":1}"));
			assertProblem(400, "owner", delete("/throttles/order?key=a"));
			assertProblem(400, "maxTasksBeforeYield", post("/executors/own", "{\"maxTasksBeforeYield\":0}"));
		}).row("401, 403 | your security says so", () -> {
			for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.DELETE)) {
				assertThat(secured(method, null).getStatusCode().value()).isEqualTo(401);
				assertThat(secured(method, "guest").getStatusCode().value()).isEqualTo(403);
			}
			assertThat(secured(HttpMethod.GET, "operator").getStatusCode().value()).isEqualTo(200);
		}).row("404 | there is nothing of that kind, name, id, key or owner; or the endpoint is not exposed", () -> {
			for (String path : List.of("/unknown/commands", "/throttles/unknown", "/batches/unknown",
					"/executors/unknown", "/queues/unknown", "/sessions/unknown", "/topics/unknown")) {
				assertProblem(404, null, get(path));
			}
			assertProblem(404, null, delete("/throttles/commands?key=unknown"));
			assertProblem(404, null, delete("/throttles/order?owner=unknown"));
			assertThat(statusElsewhere("management.endpoints.web.exposure.include=health")).isEqualTo(404);
		}).row("405 | its access does not allow to change anything, or that cannot be done to such a thing", () -> {
			assertThat(statusElsewhere("management.endpoint.throttling.access=" + Access.READ_ONLY)).isEqualTo(405);
			assertProblem(405, null, post("/batches/invoices", "{}"));
			assertProblem(405, null, delete("/topics/room-7"));
			assertProblem(405, null, post("/sessions/unknown", "{}"));
			assertProblem(405, null, delete("/queues/unknown"));
			assertProblem(405, null, delete("/executors/own"));
		}).row("409 | the limit or executor has another version by now, or the limit cannot be removed", () -> {
			assertProblem(409, "version", post("/throttles/commands", "{\"limit\":20,\"version\":1000}"));
			assertProblem(409, "version", post("/executors/own", "{\"maxTasksBeforeYield\":5,\"version\":1000}"));
			assertProblem(409, "action", post("/throttles/commands", "{\"action\":\"remove\"}"));
		}).tests();
	}

	@Test
	void requestsThatThePageShowsAreAnswered() throws IOException {
		String page = Files.readString(Path.of("..", "docs", "operations.md"));
		assertThat(CURL.matcher(page).results())
			.map((curl) -> request(HttpMethod.valueOf(curl.group(1)), curl.group(2), curl.group(3)).getStatusCode()
				.value())
			.containsExactly(200, 200, 204, 200);
		Matcher problem = PROBLEM.matcher(page);
		assertThat(problem.find()).isTrue();
		assertThat(json(post("/throttles/commands", "{\"limit\":0}")))
			.isEqualTo(JsonMapper.shared().readTree(problem.group()));
	}

	/** Changes a limit of an application with another property. */
	private static int statusElsewhere(String property) {
		AtomicInteger status = new AtomicInteger();
		new WebApplicationContextRunner().withUserConfiguration(Limits.class, Endpoint.class)
			.withPropertyValues("management.endpoints.web.exposure.include=throttling", property)
			.run((context) -> status.set(MockMvcTester.from(context)
				.post()
				.uri("/actuator/throttling/throttles/commands")
				.contentType(MediaType.APPLICATION_JSON)
				.content("{\"limit\":9}")
				.exchange()
				.getResponse()
				.getStatus()));
		return status.get();
	}

	private static void assertProblem(int status, String field, ResponseEntity<String> answer) {
		assertThat(answer.getStatusCode().value()).isEqualTo(status);
		JsonNode problem = json(answer);
		assertThat(problem.at("/status").asInt()).isEqualTo(status);
		assertThat(problem.at("/field").asStringOpt()).isEqualTo(Optional.ofNullable(field));
		assertThat(problem.at("/detail").asString()).isNotBlank();
	}

	private ResponseEntity<String> get(String path) {
		return request(HttpMethod.GET, path, null);
	}

	private ResponseEntity<String> post(String path, String body) {
		return request(HttpMethod.POST, path, body);
	}

	private ResponseEntity<String> delete(String path) {
		return request(HttpMethod.DELETE, path, null);
	}

	private ResponseEntity<String> secured(HttpMethod method, String user) {
		return send(client().method(method).uri("/throttles/commands?key=k").headers((headers) -> {
			headers.set(SECURED, "");
			if (user != null) {
				headers.setBasicAuth(user, "secret");
			}
		}));
	}

	private ResponseEntity<String> request(HttpMethod method, String path, String body) {
		RestClient.RequestBodySpec request = client().method(method).uri(path);
		return send((body != null) ? request.contentType(MediaType.APPLICATION_JSON).body(body) : request);
	}

	private RestClient client() {
		return RestClient.create("http://localhost:" + this.port + "/actuator/throttling");
	}

	private static ResponseEntity<String> send(RestClient.RequestHeadersSpec<?> request) {
		return request.retrieve().onStatus((status) -> true, (sent, answer) -> {
		}).toEntity(String.class);
	}

	private static JsonNode json(ResponseEntity<String> answer) {
		return JsonMapper.shared().readTree(answer.getBody());
	}

	private void withSession(SessionCheck check) throws Exception {
		await().until(() -> this.sessions.count() == 0);
		try (SocketClient client = new SocketClient(this.port, "/echo",
				(handshake) -> handshake.header(SECURED, "").header("Authorization", "Basic b3BlcmF0b3I6c2VjcmV0"))) {
			await().until(() -> this.sessions.countByType().equals(Map.of("Echo", 1)));
			check.run(this.sessions.find(Echo.class, (session) -> true).get(0).id(), client);
		}
	}

	/** What is asked while there is a session. */
	@FunctionalInterface
	private interface SessionCheck {

		void run(String id, SocketClient client) throws Exception;

	}

	@WebSocketEndpoint(path = "/echo")
	static class Echo extends ManagedSession {

		@OnMessage("hello")
		String hello() {
			return "hello";
		}

		@OnMessage("endless")
		CompletableFuture<String> endless() {
			return new CompletableFuture<>();
		}

	}

	static class Invoices {

		@BatchListener("invoices")
		void insert(List<Integer> invoices) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ JacksonAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class,
			WebMvcAutoConfiguration.class, DispatcherServletAutoConfiguration.class, EndpointAutoConfiguration.class,
			JacksonEndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
			ManagementContextAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
			SluiceEndpointAutoConfiguration.class })
	static class Endpoint {

	}

	@Configuration(proxyBeanMethods = false)
	static class Limits {

		@Bean
		ThrottlingManagerCustomizer limits() {
			return (limits) -> {
				limits.addOrUpdate("commands", Limit.slidingLog(10, Duration.ofHours(1)));
				limits.addOrUpdate("order", Limit.mutex());
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSecurity
	@Import({ Echo.class, Invoices.class, Limits.class })
	static class Application {

		@Bean
		SequentialLeveledTaskExecutor own() {
			return SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return http
				.authorizeHttpRequests(
						(requests) -> requests.requestMatchers((request) -> request.getHeader(SECURED) != null)
							.hasRole("OPERATOR")
							.anyRequest()
							.permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.disable())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("guest").password("{noop}secret").roles("GUEST").build(),
					User.withUsername("operator").password("{noop}secret").roles("OPERATOR").build());
		}

	}

}
