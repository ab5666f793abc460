package dev.sluice.autoconfigure.websocket;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocketHandshakeException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;

import dev.sluice.cluster.SessionCluster;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Variables of the paths of typed sessions, below a context path, below a servlet path,
 * and with the headers of a gateway.
 */
@Tag("sockets")
class EndpointPathsTests {

	private static final String DEFAULT_SERVLET = "";

	/** The applications by the path of their servlet. */
	private static final Map<String, ConfigurableApplicationContext> applications = new TreeMap<>();

	@AfterAll
	static void stop() {
		applications.values().forEach(ConfigurableApplicationContext::close);
		applications.clear();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/api/track/7              |         | {parcel=7}           | parcel-7
			/api/track/7?a=b          |         | {parcel=7}           | parcel-7
			/api/track/7;a=b          |         | {parcel=7}           | parcel-7
			/api/track/a%20b          |         | {parcel=a b}         | parcel-a b
			/api/track/%C3%BC         |         | {parcel=ü}           | parcel-ü
			/api/track/a+b            |         | {parcel=a+b}         | parcel-a+b
			/api/track/api            |         | {parcel=api}         | parcel-api
			/api/track/7              | /shop   | {parcel=7}           | parcel-7
			/api/track/7              | /a/b    | {parcel=7}           | parcel-7
			/api/hubs/1/gates/2       |         | {gate=2, hub=1}      | gate-1-2
			/api/files/a/b.txt        |         | {name=/a/b.txt}      | file-/a/b.txt
			/api/plain                |         | {}                   | all
			/api/track/7/             |         | 404                  |
			/api/track/a%2Fb          |         | 400                  |
			/track/7                  |         | 404                  |
			""")
	void belowAContextPath(String path, String prefix, String variables, String topic) throws Exception {
		verify(DEFAULT_SERVLET, path, prefix, variables, topic);
	}

	/** Jetty rejects such a path. */
	@Test
	@Tag("tomcat")
	void anEncodedPercentSignIsDecodedOnce() throws Exception {
		verify(DEFAULT_SERVLET, "/api/track/%2525", null, "{parcel=%25}", "parcel-%25");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/api/mvc/track/7          |         | {parcel=7}           | parcel-7
			/api/mvc/track/mvc        |         | {parcel=mvc}         | parcel-mvc
			/api/mvc/track/a%20b;c=d  |         | {parcel=a b}         | parcel-a b
			/api/mvc/track/7          | /shop   | {parcel=7}           | parcel-7
			/api/mvc/hubs/1/gates/2   |         | {gate=2, hub=1}      | gate-1-2
			/api/mvc/files/a/b.txt    |         | {name=/a/b.txt}      | file-/a/b.txt
			/api/mvc/plain            |         | {}                   | all
			/api/track/7              |         | 404                  |
			""")
	void belowAServletPath(String path, String prefix, String variables, String topic) throws Exception {
		verify("/mvc", path, prefix, variables, topic);
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aTopicWithoutItsVariableIsAnError(CapturedOutput output) {
		ConfigurableApplicationContext application = application(DEFAULT_SERVLET);
		try (SocketClient client = connect(application, "/api/lost/7", null)) {
			assertThat(client.closeCode()).isEqualTo(CloseStatus.SERVER_ERROR.getCode());
		}
		assertThat(output).contains("Topic 'lost-{parcel}' of " + Lost.class.getName());
		assertThat(application.getBean(SessionCluster.class).snapshot("lost-")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			GET    | /api/track/7                  | 400
			HEAD   | /api/track/7                  | 405
			POST   | /api/track/7                  | 405
			GET    | /api/unknown                  | 404
			POST   | /api/plain                    | 200
			GET    | /api/plain                    | 405
			GET    | /api/sluice/sluice-client.js  | 200
			GET    | /api/sluice/sluice-server.js  | 400
			GET    | /api/pages/7                  | 418
			""")
	void requestWithoutHandshakeIsAnsweredAsByAHandler(String method, String path, int status) throws Exception {
		HttpResponse<String> response = request(application(DEFAULT_SERVLET), method, path);
		assertThat(response.statusCode()).isEqualTo(status);
		if (status == 400) {
			assertThat(response.body()).isEqualTo("Can \"Upgrade\" only to \"WebSocket\".");
		}
	}

	@Test
	void requestWithoutHandshakeIsAnsweredBelowAServletPath() throws Exception {
		assertThat(request(application("/mvc"), "GET", "/api/mvc/track/7").statusCode()).isEqualTo(400);
		assertThat(request(application("/mvc"), "GET", "/api/mvc/unknown").statusCode()).isEqualTo(404);
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aRejectedOriginIsLoggedOnce(CapturedOutput output) {
		ConfigurableApplicationContext application = application(DEFAULT_SERVLET);
		for (String path : List.of("/api/hubs/1/gates/2", "/api/hubs/1/gates/3")) {
			int port = ((WebServerApplicationContext) application).getWebServer().getPort();
			assertThatThrownBy(() -> new SocketClient(port, path, "https://other.example")).cause()
				.isInstanceOfSatisfying(WebSocketHandshakeException.class,
						(ex) -> assertThat(ex.getResponse().statusCode()).isEqualTo(403));
		}
		assertThat(output).containsOnlyOnce("https://other.example at /api/hubs/1/gates/2")
			.containsOnlyOnce("'sluice.websocket.allowed-origins'")
			.doesNotContain("gates/3");
	}

	@Test
	void aClientOfATestWaitsForNoMessageOfAConnectionThatHasEnded() {
		ConfigurableApplicationContext application = application(DEFAULT_SERVLET);
		SocketClient client = connect(application, "/api/track/7", null);
		WebSocketSessionManager sessions = application.getBean(WebSocketSessionManager.class);
		await().until(() -> sessions.count() == 1);
		sessions.closeAll(CloseStatus.GOING_AWAY);
		assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		for (int i = 0; i < 2; i++) {
			assertThatThrownBy(client::next).isInstanceOf(AssertionError.class)
				.hasMessageContaining("the connection is closed with 1001");
		}
		client.close();
		assertThatThrownBy(() -> client.send("late")).isInstanceOf(IllegalStateException.class);
	}

	@Test
	void aSessionResumesByWayOfAnotherGateway() throws Exception {
		ConfigurableApplicationContext application = application(DEFAULT_SERVLET);
		String token;
		try (SocketClient client = connect(application, "/api/drafts/7", "/shop")) {
			client.send("{\"type\":\"resume\"}");
			token = JsonMapper.shared().readTree(client.next()).get("token").asString();
			client.abort();
		}
		try (SocketClient client = connect(application, "/api/drafts/7", null)) {
			client.send("{\"type\":\"resume\",\"token\":\"" + token + "\",\"received\":0}");
			assertThat(client.next()).contains("\"type\":\"resumed\"");
		}
	}

	@Test
	void pagesOfOursFindTheirFilesBelowTheirOwnPath() throws Exception {
		for (String base : List.of("/api/", "/api/mvc/")) {
			ConfigurableApplicationContext application = application(base.contains("mvc") ? "/mvc" : DEFAULT_SERVLET);
			assertThat(get(application, base + "sluice/sluice-client.js")).contains("export");
			String page = get(application, base + "actuator/sluice");
			List<String> files = Pattern.compile("(?:href|src)=\"([^\"]+)\"")
				.matcher(page)
				.results()
				.map((link) -> link.group(1))
				.toList();
			assertThat(files).hasSizeGreaterThan(2);
			for (String file : files) {
				assertThat(get(application, base + "actuator/" + file)).isNotEmpty();
			}
			assertThat(get(application, base + "actuator/throttling")).contains("throttles");
		}
	}

	private static String get(ConfigurableApplicationContext application, String path) throws Exception {
		HttpResponse<String> response = request(application, "GET", path);
		assertThat(response.statusCode()).as(path).isEqualTo(200);
		return response.body();
	}

	private static HttpResponse<String> request(ConfigurableApplicationContext application, String method, String path)
			throws Exception {
		int port = ((WebServerApplicationContext) application).getWebServer().getPort();
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
				.method(method, HttpRequest.BodyPublishers.noBody())
				.build(), HttpResponse.BodyHandlers.ofString());
	}

	private static ConfigurableApplicationContext application(String servlet) {
		return applications.computeIfAbsent(servlet, EndpointPathsTests::start);
	}

	private void verify(String servlet, String path, String prefix, String variables, String topic) throws Exception {
		ConfigurableApplicationContext application = application(servlet);
		if (!variables.startsWith("{")) {
			assertThatThrownBy(() -> connect(application, path, prefix)).isInstanceOf(CompletionException.class)
				.cause()
				.isInstanceOfSatisfying(WebSocketHandshakeException.class,
						(ex) -> assertThat(ex.getResponse().statusCode()).hasToString(variables));
			return;
		}
		SessionCluster cluster = application.getBean(SessionCluster.class);
		try (SocketClient client = connect(application, path, prefix)) {
			client.send("variables");
			assertThat(client.next()).isEqualTo(variables + " " + variables);
			await().until(() -> cluster.snapshot(topic).map((found) -> found.members()).orElse(0) == 1);
		}
		await().until(() -> cluster.snapshot(topic).map((found) -> found.members()).orElse(0) == 0);
	}

	private static SocketClient connect(ConfigurableApplicationContext application, String path, String prefix) {
		int port = ((WebServerApplicationContext) application).getWebServer().getPort();
		return new SocketClient(port, path, (handshake) -> {
			if (prefix != null) {
				handshake.header("X-Forwarded-Prefix", prefix);
			}
		});
	}

	private static ConfigurableApplicationContext start(String servlet) {
		return new SpringApplicationBuilder(Application.class)
			.properties("server.port=0", "server.servlet.context-path=/api", "spring.mvc.servlet.path=" + servlet + "/",
					"server.forward-headers-strategy=framework", "management.endpoint.sluice.access=READ_ONLY",
					"management.endpoints.web.exposure.include=*")
			.run();
	}

	/** Answers with the variables that it and the handshake's interceptors have. */
	abstract static class Variables extends ManagedSession {

		@OnMessage
		String variables(String text) {
			return new TreeMap<>(pathVariables()) + " " + attributes().get("seen");
		}

	}

	@WebSocketEndpoint(path = "track/{parcel}", topics = "parcel-{parcel}")
	static class Track extends Variables {

	}

	@WebSocketEndpoint(path = "/hubs/{hub}/gates/{gate}", topics = "gate-{hub}-{gate}")
	static class Gate extends Variables {

	}

	@WebSocketEndpoint(path = "/files/{*name}", topics = "file-{name}")
	static class Files extends Variables {

	}

	@WebSocketEndpoint(path = "/plain", topics = "all")
	static class Plain extends Variables {

	}

	@WebSocketEndpoint(path = "/drafts/{parcel}", resumable = true)
	static class Draft extends ManagedSession {

	}

	/** Has the path of files. */
	@WebSocketEndpoint(path = "/sluice/{file}")
	static class Shadow extends ManagedSession {

	}

	/** Has a path whose other requests the application answers itself. */
	@WebSocketEndpoint(path = "/pages/{page}")
	static class Paged extends ManagedSession {

	}

	@RestController
	@RestControllerAdvice
	static class Pages {

		@PostMapping("/plain")
		void posted() {
		}

		@ExceptionHandler
		ResponseEntity<?> missing(NoResourceFoundException ex) throws NoResourceFoundException {
			if (!ex.getResourcePath().startsWith("pages/")) {
				throw ex;
			}
			return ResponseEntity.status(418).build();
		}

	}

	/** Has removed what the handshake left for its session. */
	@WebSocketEndpoint(path = "/lost/{parcel}", topics = "lost-{parcel}")
	static class Lost extends Variables {

		@Override
		protected void onOpen() {
			attributes().clear();
		}

	}

	/** Keeps the variables that the request has. */
	static class Seen implements HandshakeInterceptor {

		@Override
		public boolean beforeHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				Map<String, Object> attributes) {
			Object variables = ((ServletServerHttpRequest) request).getServletRequest()
				.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
			attributes.put("seen",
					(variables instanceof Map<?, ?> map) ? new TreeMap<>(map).toString() : String.valueOf(variables));
			return true;
		}

		@Override
		public void afterHandshake(ServerHttpRequest request, ServerHttpResponse response, WebSocketHandler handler,
				Exception exception) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Track.class, Gate.class, Files.class, Plain.class, Lost.class, Draft.class, Shadow.class, Paged.class,
			Pages.class })
	static class Application {

		@Bean
		HandshakeInterceptor seen() {
			return new Seen();
		}

	}

}
