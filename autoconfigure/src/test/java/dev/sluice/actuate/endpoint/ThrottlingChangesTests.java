package dev.sluice.actuate.endpoint;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.util.UriUtils;

import static org.assertj.core.api.Assertions.assertThat;

class ThrottlingChangesTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final ThrottlingManager limits = ThrottlingManager.builder().build();

	private final OneSession sessions = new OneSession();

	private final List<AuditEvent> audited = new ArrayList<>();

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(JacksonAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class,
						WebMvcAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
						EndpointAutoConfiguration.class, JacksonEndpointAutoConfiguration.class,
						WebEndpointAutoConfiguration.class, ManagementContextAutoConfiguration.class,
						SluiceThrottlingAutoConfiguration.class, SluiceEndpointAutoConfiguration.class))
		.withBean("sluiceInbound", SequentialLeveledTaskExecutor.class, () -> this.inbound)
		.withBean(ThrottlingManager.class, () -> this.limits)
		.withBean(Sessions.class, () -> this.sessions)
		.withBean(AuditListener.class, () -> (event) -> this.audited.add(event.getAuditEvent()))
		.withPropertyValues("management.endpoints.web.exposure.include=throttling",
				"management.endpoint.throttling.access=UNRESTRICTED");

	@Test
	void changesOfALimitWhatIsGivenAndMintsNothing() {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, HOUR)).tryAcquire("alice", 2);
		this.contextRunner.run((context) -> {
			assertThat(post(context, "/throttles/commands", "{\"limit\":3,\"version\":1}")).hasStatusOk()
				.bodyJson()
				.hasPathSatisfying("$.limit", (limit) -> assertThat(limit).isEqualTo(3))
				.hasPathSatisfying("$.period", (period) -> assertThat(period).isEqualTo("PT1H"))
				.hasPathSatisfying("$.version", (version) -> assertThat(version).isEqualTo(2))
				.hasPathSatisfying("$.source", (source) -> assertThat(source).isEqualTo("runtime"));
			assertThat(this.limits.get("commands").state("alice").remaining()).isEqualTo(1);
			assertAudited("SLUICE_LIMIT_CHANGED", "throttle", "commands");
		});
	}

	@ParameterizedTest
	@CsvSource({ "PT5S, 5", "5s, 5", "2m, 120" })
	void aPeriodIsWrittenEitherWay(String period, long seconds) {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, HOUR));
		this.contextRunner.run((context) -> {
			assertThat(post(context, "/throttles/commands", "{\"period\":\"%s\"}".formatted(period))).hasStatusOk();
			assertThat(this.limits.get("commands").limit()).isEqualTo(Limit.slidingLog(2, Duration.ofSeconds(seconds)));
		});
	}

	@Test
	void changesAllOptionsThatATypeHas() {
		this.limits.addOrUpdate("tenants", Limit.dynamicWindow(20, 2, 10, HOUR, 6));
		this.contextRunner.run((context) -> {
			assertThat(post(context, "/throttles/tenants",
					"{\"capacity\":30,\"minLimit\":3,\"maxLimit\":15,\"buckets\":4,\"dryRun\":true}"))
				.hasStatusOk();
			assertThat(this.limits.get("tenants").limit()).isEqualTo(Limit.dynamicWindow(30, 3, 15, HOUR, 4));
			assertThat(this.limits.get("tenants").options().dryRun()).isTrue();
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{"limit":0}                 | limit   | 'limit' must be greater than 0: 0
					{"limit":"many"}            | limit   | 'limit' must be a whole number: many
					{"period":"soon"}           | period  | 'period' must be a time such as 1s or PT1S: soon
					{"buckets":3}               | buckets | 'buckets' is no option of type sliding-log
					{"limit":5,"dryRun":"yes"}  | dryRun  | 'dryRun' must be true or false: yes
					{"limit":5,"type":"mutex"}  | type    | 'type' is sliding-log and cannot be changed
					{"limit":5,"version":"one"} | version | 'version' must be a whole number: one
					{"limit":5,"perido":"1h"}   | perido  | 'perido' is unknown; known: action, type, limit, period, buckets, capacity, minLimit, maxLimit, dryRun, version
					{"action":"stop"}           | action  | 'action' must be remove: stop
					{"limit":5,"action":"remove"} | action | 'action' is remove: there is nothing to change
					""")
	void aBadFieldIsNamedAndNothingChanges(String body, String field, String detail) {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, HOUR));
		this.contextRunner.run((context) -> {
			assertThat(post(context, "/throttles/commands", body)).hasStatus(HttpStatus.BAD_REQUEST)
				.hasBodyTextEqualTo("{\"status\":400,\"field\":\"%s\",\"detail\":\"%s\"}".formatted(field, detail));
			assertThat(this.limits.get("commands").snapshot(0).version()).isEqualTo(1);
			assertThat(this.audited).isEmpty();
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			POST   | /throttles/commands        | {}                         | 400 |
			POST   | /throttles/commands        | {"limit":5,"version":7}    | 409 | version
			POST   | /throttles/unknown         | {"limit":5}                | 404 |
			POST   | /throttles/unknown         | {"type":"mutex","version":1} | 404 |
			POST   | /throttles/unknown         | {"type":"mutx"}            | 400 | type
			POST   | /throttles/unknown         | {"type":"mutex","limit":3} | 400 | limit
			POST   | /throttles/unknown         | {"type":"sliding-log","limit":3} | 400 | period
			POST   | /throttles/unknown         | {"action":"remove"}        | 404 |
			POST   | /throttles/commands        | {"action":"remove","version":7} | 409 | version
			POST   | /throttles/order           | {"action":"remove"}        | 409 | action
			POST   | /executors/inbound         | {}                         | 400 | maxTasksBeforeYield
			POST   | /executors/inbound         | {"maxTasksBeforeYield":0}  | 400 | maxTasksBeforeYield
			POST   | /executors/inbound         | {"maxTasksBeforeYield":10001} | 400 | maxTasksBeforeYield
			POST   | /executors/inbound         | {"maxTasksBeforeYield":"many"} | 400 | maxTasksBeforeYield
			POST   | /executors/inbound         | {"limit":5}                | 400 | limit
			POST   | /executors/inbound         | {"maxTasksBeforeYield":3,"version":7} | 409 | version
			POST   | /executors                 | {"name":"inbound","maxTasksBeforeYield":3,"version":0} | 409 | version
			POST   | /executors/inbound         | {"maxTasksBeforeYield":3,"version":"x"} | 400 | version
			POST   | /executors/outbound        | {"maxTasksBeforeYield":5}  | 404 |
			DELETE | /executors/inbound         | {}                         | 405 |
			POST   | /queues/session-1          | {}                         | 400 | action
			POST   | /queues/session-1          | {"action":"stop"}          | 400 | action
			POST   | /queues/session-1          | {"action":"pause","limit":5} | 400 | limit
			POST   | /queues/unknown            | {"action":"pause"}         | 404 |
			POST   | /sessions/session-1        | {}                         | 405 |
			POST   | /cats/tom                  | {}                         | 404 |
			POST   | /throttles/commands        | {"type":"sliding-log","limit":9,"version":0} | 409 | version
			POST   | /throttles                 | {"name":"commands","limit":5,"version":7} | 409 | version
			POST   | /throttles                 | {"name":"a/b","limit":5}   | 404 |
			POST   | /throttles                 | {"name":"commands","perido":"1h"} | 400 | perido
			POST   | /queues                    | {"name":"un/known","action":"pause"} | 404 |
			DELETE | /throttles?name=a%2Fb&key=x | {}                        | 404 |
			DELETE | /throttles/commands?key=x&version=7 | {}                | 409 | version
			DELETE | /throttles/order?owner=batch-9&version=7 | {}           | 409 | version
			DELETE | /throttles/order?owner=batch-9&version=x | {}           | 400 | version
			DELETE | /throttles/commands        | {}                         | 400 |
			DELETE | /throttles/commands?key=x  | {}                         | 404 |
			DELETE | /throttles/commands?owner=x | {}                        | 400 | owner
			DELETE | /throttles/commands?key=x&owner=x | {}                  | 400 | owner
			DELETE | /throttles/order?key=o-1   | {}                         | 400 | owner
			DELETE | /throttles/order?owner=x   | {}                         | 404 |
			DELETE | /throttles/unknown?key=x   | {}                         | 404 |
			DELETE | /sessions/unknown          | {}                         | 404 |
			DELETE | /queues/session-1          | {}                         | 405 |
			DELETE | /cats/tom                  | {}                         | 404 |
			""")
	void whatCannotBeDoneSaysWhy(String method, String path, String body, int status, @Nullable String field) {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, HOUR));
		hold("o-9", "batch-9");
		this.inbound.addQueue("session-1");
		this.contextRunner.run((context) -> {
			assertThat(exchange(context, HttpMethod.valueOf(method), path, body)).hasStatus(status)
				.bodyJson()
				.hasPathSatisfying("$.status", (value) -> assertThat(value).isEqualTo(status))
				.hasPathSatisfying("$.detail", (detail) -> assertThat(detail).asString().isNotEmpty())
				.satisfies((json) -> {
					if (field == null) {
						assertThat(json).doesNotHavePath("$.field");
					}
					else {
						assertThat(json).extractingPath("$.field").isEqualTo(field);
					}
				});
			assertThat(this.audited).isEmpty();
			assertThat(this.limits.find("unknown")).isEmpty();
			assertThat(this.limits.throttles()).hasSize(2);
			assertThat(this.inbound.maxTasksBeforeYield()).isEqualTo(10);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			{"type":"token-bucket","limit":5,"period":"1s","capacity":9} | token-bucket
			{"type":"dynamic-window","capacity":9,"period":"1s","buckets":2} | dynamic-window
			{"type":"mutex","dryRun":true} | mutex
			""")
	void definesALimit(String body, String type) {
		this.contextRunner.run((context) -> {
			assertThat(post(context, "/throttles/tenant-7", body)).hasStatusOk()
				.bodyJson()
				.hasPathSatisfying("$.type", (value) -> assertThat(value).isEqualTo(type))
				.hasPathSatisfying("$.source", (source) -> assertThat(source).isEqualTo("runtime"))
				.hasPathSatisfying("$.version", (version) -> assertThat(version).isEqualTo(1));
			assertThat(this.limits.get("tenant-7").limit().type()).isEqualTo(type);
			assertThat(this.limits.get("tenant-7").options().dryRun()).isEqualTo(body.contains("dryRun"));
			assertAudited("SLUICE_LIMIT_DEFINED", "throttle", "tenant-7");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "a/b", "50%", "a%2Fb", "..", "a;b", "a\\\\b", "a?b", "ü" })
	void takesANameOfAnyCharactersOutsideThePath(String name) {
		String unescaped = name.replace("\\\\", "\\");
		this.contextRunner.run((context) -> {
			assertThat(
					post(context, "/throttles", "{\"name\":\"%s\",\"type\":\"mutex\",\"version\":0}".formatted(name)))
				.hasStatusOk();
			assertThat(this.limits.get(unescaped).limit()).isEqualTo(Limit.mutex());
			String query = "?name=" + UriUtils.encode(unescaped, StandardCharsets.UTF_8);
			assertThat(exchange(context, HttpMethod.GET, "/throttles" + query, "")).hasStatusOk()
				.bodyJson()
				.hasPathSatisfying("$.type", (type) -> assertThat(type).isEqualTo("mutex"));
			this.limits.tryAcquire(AcquireRequest.of(unescaped, "").owner("me"));
			assertThat(exchange(context, HttpMethod.DELETE, "/throttles" + query + "&owner=me&version=1", ""))
				.hasStatus(HttpStatus.NO_CONTENT);
			assertThat(post(context, "/throttles",
					"{\"name\":\"%s\",\"action\":\"remove\",\"version\":1}".formatted(name)))
				.hasStatus(HttpStatus.NO_CONTENT);
			assertThat(this.limits.find(unescaped)).isEmpty();
		});
	}

	@Test
	void removesALimitThatWasDefinedAfterTheStart() {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, HOUR));
		this.contextRunner.run((context) -> {
			assertThat(post(context, "/throttles/commands", "{\"action\":\"remove\",\"version\":1}"))
				.hasStatus(HttpStatus.NO_CONTENT);
			assertThat(this.limits.find("commands")).isEmpty();
			assertAudited("SLUICE_LIMIT_REMOVED", "throttle", "commands");
		});
	}

	@Test
	void changesAfterHowManyTasksAWorkerLeavesAQueue() {
		this.contextRunner.run((context) -> {
			assertThat(post(context, "/executors/inbound", "{\"maxTasksBeforeYield\":3,\"version\":1}")).hasStatusOk()
				.bodyJson()
				.hasPathSatisfying("$.maxTasksBeforeYield", (tasks) -> assertThat(tasks).isEqualTo(3))
				.hasPathSatisfying("$.version", (version) -> assertThat(version).isEqualTo(2));
			assertThat(this.inbound.maxTasksBeforeYield()).isEqualTo(3);
			assertAudited("SLUICE_EXECUTOR_CHANGED", "executor", "inbound");
		});
	}

	@Test
	void forgetsAKey() {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, HOUR)).tryAcquire("alice", 2);
		this.contextRunner.run((context) -> {
			assertThat(delete(context, "/throttles/commands?key=alice")).hasStatus(HttpStatus.NO_CONTENT);
			assertThat(this.limits.get("commands").state("alice").used()).isZero();
			assertAudited("SLUICE_KEY_FORGOTTEN", "key", "alice");
		});
	}

	@Test
	void releasesWhatAnOwnerHoldsOfEveryKey() {
		hold("o-1", "batch-1");
		hold("o-2", "batch-1");
		hold("o-3", "batch-2");
		this.contextRunner.run((context) -> {
			assertThat(delete(context, "/throttles/order?owner=batch-1")).hasStatus(HttpStatus.NO_CONTENT);
			assertThat(this.limits.get("order").snapshot(9).holders())
				.satisfiesExactly((holder) -> assertThat(holder.owner()).isEqualTo("batch-2"));
			assertAudited("SLUICE_OWNER_RELEASED", "owner", "batch-1");
		});
	}

	@Test
	void releasesWhatAnOwnerHoldsOfOneKey() {
		hold("o-1", "batch-1");
		hold("o-2", "batch-1");
		this.contextRunner.run((context) -> {
			assertThat(delete(context, "/throttles/order?owner=batch-1&key=o-1")).hasStatus(HttpStatus.NO_CONTENT);
			assertThat(this.limits.get("order").snapshot(9).holders())
				.satisfiesExactly((holder) -> assertThat(holder.key()).isEqualTo("o-2"));
		});
	}

	@Test
	void pausesAndResumesAQueue() {
		this.inbound.addQueue("session-1");
		this.contextRunner.run((context) -> {
			assertThat(post(context, "/queues/session-1", "{\"action\":\"pause\"}")).hasStatusOk()
				.bodyJson()
				.extractingPath("$.inbound.state")
				.isEqualTo("paused");
			LeveledTask<?> task = this.inbound.execute("session-1", Level.NORMAL, () -> {
			});
			assertThat(task).isNotDone();
			assertThat(post(context, "/queues/session-1", "{\"action\":\"resume\"}")).hasStatusOk();
			assertThat(task).isDone();
			assertThat(this.audited).extracting(AuditEvent::getType)
				.containsExactly("SLUICE_QUEUE_PAUSED", "SLUICE_QUEUE_RESUMED");
		});
	}

	@Test
	void drainsAQueueThatWasPaused() {
		this.inbound.queue("session-1").pause();
		LeveledTask<?> task = this.inbound.execute("session-1", Level.NORMAL, () -> {
		});
		this.contextRunner.run((context) -> {
			assertThat(post(context, "/queues/session-1", "{\"action\":\"drain\"}")).hasStatus(HttpStatus.NO_CONTENT);
			assertThat(task).isCompleted();
			assertAudited("SLUICE_QUEUE_DRAINED", "queue", "session-1");
		});
	}

	@Test
	void pausesTheQueueOfASessionThatHasNoneYet() {
		this.contextRunner.run((context) -> {
			assertThat(post(context, "/queues/session-7", "{\"action\":\"pause\"}")).hasStatusOk();
			assertThat(this.inbound.snapshot(9).paused()).isEqualTo(1);
		});
	}

	@Test
	void showsASessionWithoutItsIdOrItsUser() {
		this.contextRunner.run((
				context) -> assertThat(MockMvcTester.from(context).get().uri("/actuator/throttling/sessions/session-7"))
					.hasStatusOk()
					.hasBodyTextEqualTo(
							"{\"id\":\"******\",\"type\":\"BankSession\",\"principal\":\"******\",\"open\":true}"));
	}

	@Test
	void closesASession() {
		this.contextRunner.run((context) -> {
			assertThat(delete(context, "/sessions/session-7")).hasStatus(HttpStatus.NO_CONTENT);
			assertThat(this.sessions.closed).isTrue();
			assertAudited("SLUICE_SESSION_CLOSED", "session", "session-7");
		});
	}

	@Test
	void anAuditEventNamesWhoDidIt() {
		Principal operator = () -> "ann";
		this.contextRunner.run((context) -> {
			assertThat(MockMvcTester.from(context)
				.delete()
				.uri("/actuator/throttling/sessions/session-7")
				.principal(operator)).hasStatus(HttpStatus.NO_CONTENT);
			assertThat(this.audited).extracting(AuditEvent::getPrincipal).containsExactly("ann");
		});
	}

	@ParameterizedTest
	@CsvSource({ "POST, /throttles/commands", "POST, /queues/session-1", "POST, /executors/inbound",
			"DELETE, /throttles/commands?key=alice", "DELETE, /sessions/session-7" })
	void withoutAccessNothingCanBeChanged(String method, String path) {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, HOUR)).tryAcquire("alice");
		this.inbound.addQueue("session-1");
		this.contextRunner.withPropertyValues("management.endpoint.throttling.access=READ_ONLY").run((context) -> {
			assertThat(exchange(context, HttpMethod.valueOf(method), path, "{\"limit\":3,\"action\":\"pause\"}"))
				.hasStatus(HttpStatus.METHOD_NOT_ALLOWED);
			assertThat(this.audited).isEmpty();
		});
	}

	@Test
	void whereItIsNotExposedThereIsNothingToChange() {
		this.limits.addOrUpdate("commands", Limit.slidingLog(2, HOUR));
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(post(context, "/throttles/commands", "{\"limit\":3}"))
				.hasStatus(HttpStatus.NOT_FOUND));
	}

	private void hold(String key, String owner) {
		this.limits.addOrUpdate("order", Limit.mutex());
		Decision decision = this.limits.tryAcquire(AcquireRequest.of("order", key).owner(owner));
		assertThat(decision.admitted()).isTrue();
	}

	private void assertAudited(String type, String kind, String name) {
		assertThat(this.audited).satisfiesExactly((event) -> {
			assertThat(event.getType()).isEqualTo(type);
			assertThat(event.getData()).contains(Map.entry(kind, name));
		});
	}

	private static MvcTestResult post(AssertableWebApplicationContext context, String path, String body) {
		return exchange(context, HttpMethod.POST, path, body);
	}

	private static MvcTestResult delete(AssertableWebApplicationContext context, String path) {
		return MockMvcTester.from(context).delete().uri("/actuator/throttling" + path).exchange();
	}

	private static MvcTestResult exchange(AssertableWebApplicationContext context, HttpMethod method, String path,
			String body) {
		return MockMvcTester.from(context)
			.method(method)
			.uri(URI.create("/actuator/throttling" + path))
			.contentType(MediaType.APPLICATION_JSON)
			.content(body)
			.exchange();
	}

	/** Named, as the type of a lambda would not be known. */
	@FunctionalInterface
	private interface AuditListener extends ApplicationListener<AuditApplicationEvent> {

	}

	/** The session {@code session-7} alone. */
	private static final class OneSession implements Sessions {

		private boolean closed;

		@Override
		public SessionsDescriptor count() {
			return SessionsDescriptor.of(Map.of("BankSession", 1));
		}

		@Override
		public @Nullable SessionDescriptor describe(String id, NameVisibility names) {
			return id.equals("session-7")
					? new SessionDescriptor(names.of(id), "BankSession", names.of("alice"), !this.closed) : null;
		}

		@Override
		public boolean close(String id) {
			this.closed = id.equals("session-7");
			return this.closed;
		}

	}

}
