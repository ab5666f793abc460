package dev.sluice.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.BatchListener;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.autoconfigure.annotation.SluiceAnnotationsAutoConfiguration;
import dev.sluice.autoconfigure.batch.SluiceBatchAutoConfiguration;
import dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration;
import dev.sluice.autoconfigure.cluster.SluiceClusterStompAutoConfiguration;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.journal.SluiceJournalAutoConfiguration;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceStompAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.batch.BatchPump;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.throttle.LimitType;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.scheduling.annotation.Async;
import org.springframework.validation.annotation.Validated;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/** Each mistake is described, with the property or the class to change and the remedy. */
class MistakesTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(LifecycleAutoConfiguration.class, SluicePropertiesAutoConfiguration.class,
					SluiceThrottlingAutoConfiguration.class, SluiceAnnotationsAutoConfiguration.class,
					SluiceWebSocketAutoConfiguration.class, SluiceJournalAutoConfiguration.class,
					SluiceBatchAutoConfiguration.class, SluiceClusterAutoConfiguration.class));

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					execution.workers=0                   | 'sluice.execution.workers' must be greater than 0: 0
					execution.workers=-1                  | 'sluice.execution.workers' must be greater than 0: -1
					execution.max-tasks-before-yield=0    | 'sluice.execution.max-tasks-before-yield' must be greater than 0: 0
					execution.max-tasks-before-yield=10001 | 'sluice.execution.max-tasks-before-yield' must not be greater than 10000, as other queues cannot use that worker until it yields (to keep more queues busy, set more workers by 'sluice.execution.workers'): 10001
					execution.max-consecutive-high=0      | 'sluice.execution.max-consecutive-high' must be greater than 0: 0
					execution.queue-capacity=0            | 'sluice.execution.queue-capacity' must be greater than 0: 0
					execution.max-block=-1s               | 'sluice.execution.max-block' must not be negative: -1s
					websocket.max-message-size=0          | 'sluice.websocket.max-message-size' must be greater than 0: 0
					websocket.max-message-size=3GB        | 'sluice.websocket.max-message-size' must be less than 2GB: 3GB
					websocket.message-time-limit=0s       | 'sluice.websocket.message-time-limit' must be at least 1ms: 0s
					websocket.inbound.total-buffer-size=0 | 'sluice.websocket.inbound.total-buffer-size' must be greater than 0: 0
					websocket.outbound.total-buffer-size=0 | 'sluice.websocket.outbound.total-buffer-size' must be greater than 0: 0
					websocket.type-property=              | 'sluice.websocket.type-property' must not be empty
					websocket.shutdown-timeout=0s         | 'sluice.websocket.shutdown-timeout' must be at least 1ms: 0s
					websocket.shutdown-timeout=-1s        | 'sluice.websocket.shutdown-timeout' must be at least 1ms: -1s
					websocket.idle-timeout=0s             | 'sluice.websocket.idle-timeout' must be at least 1ms: 0s
					websocket.max-sessions=0              | 'sluice.websocket.max-sessions' must be greater than 0: 0
					websocket.max-sessions-per-address=0  | 'sluice.websocket.max-sessions-per-address' must be greater than 0: 0
					websocket.max-sessions-per-principal=-1 | 'sluice.websocket.max-sessions-per-principal' must be greater than 0: -1
					websocket.heartbeat.interval=-1s      | 'sluice.websocket.heartbeat.interval' must not be negative: -1s
					websocket.heartbeat.timeout=0s        | 'sluice.websocket.heartbeat.timeout' must be at least 1ms: 0s
					websocket.inbound.high-water-mark=0   | 'sluice.websocket.inbound.high-water-mark' must be greater than 0: 0
					websocket.inbound.low-water-mark=-1   | 'sluice.websocket.inbound.low-water-mark' must not be negative: -1
					websocket.inbound.low-water-mark=500  | 'sluice.websocket.inbound.low-water-mark' must be less than 'sluice.websocket.inbound.high-water-mark', which is 128: 500
					websocket.inbound.buffer-size-limit=0 | 'sluice.websocket.inbound.buffer-size-limit' must be greater than 0: 0
					websocket.outbound.send-time-limit=0s | 'sluice.websocket.outbound.send-time-limit' must be at least 1ms: 0s
					websocket.outbound.buffer-size-limit=-1B | 'sluice.websocket.outbound.buffer-size-limit' must be greater than 0: -1B
					journal.batch-size=0                  | 'sluice.journal.batch-size' must be greater than 0: 0
					journal.push-interval=0s              | 'sluice.journal.push-interval' must be at least 1ms: 0s
					journal.max-waiting=10                | 'sluice.journal.max-waiting' must not be less than 'sluice.journal.batch-size', which is 100: 10
					cluster.lease=0s                      | 'sluice.cluster.lease' must be at least 1ms: 0s
					cluster.beat=0s                       | 'sluice.cluster.beat' must be at least 1ms: 0s
					cluster.beat=10s                      | 'sluice.cluster.beat' must be less than 'sluice.cluster.lease': 10s
					cluster.resume.outbox=redis           | 'sluice.cluster.resume.outbox' must be 'memory' where 'sluice.cluster.type' is not 'redis': redis
					cluster.timeout=0s                    | 'sluice.cluster.timeout' must be at least 1ms: 0s
					cluster.topics[room-*].history.size=-1 | 'sluice.cluster.topics[room-*].history.size' must not be negative: -1
					cluster.topics[x*].wait-replicas=-1   | 'sluice.cluster.topics[x*].wait-replicas' must not be negative: -1
					cluster.topics[x*].wait-replicas=1    | 'sluice.cluster.topics[x*].wait-replicas' must be 0 where 'sluice.cluster.type' is not 'redis': 1
					cluster.max-topics-per-session=0      | 'sluice.cluster.max-topics-per-session' must be greater than 0: 0
					cluster.history.size=-1               | 'sluice.cluster.history.size' must not be negative: -1
					cluster.history.time=0s               | 'sluice.cluster.history.time' must be at least 1ms: 0s
					cluster.presence.leave-delay=-1s      | 'sluice.cluster.presence.leave-delay' must not be negative: -1s
					cluster.presence.max-members=0        | 'sluice.cluster.presence.max-members' must be greater than 0: 0
					cluster.stomp.destinations=/topic/**,, | 'sluice.cluster.stomp.destinations' must not contain an empty pattern
					batches.q.slots=0                     | 'sluice.batches.q.slots' must be greater than 0: 0
					batches.q.batch-size=-1               | 'sluice.batches.q.batch-size' must be greater than 0: -1
					batches.q.push-interval=0s            | 'sluice.batches.q.push-interval' must be at least 1ms: 0s
					batches.q.max-concurrency=0           | 'sluice.batches.q.max-concurrency' must be greater than 0: 0
					batches.q.max-waiting=10              | 'sluice.batches.q.max-waiting' must not be less than 'batch-size', which is 100: 10
					batches.q.retries=-1                  | 'sluice.batches.q.retries' must not be negative: -1
					store.redis.key-prefix=               | 'sluice.store.redis.key-prefix' must not be empty, as Sluice would delete keys of other programs
					store.redis.key-prefix={a}            | 'sluice.store.redis.key-prefix' must not contain braces: {a}
					store.redis.timeout=0s                | 'sluice.store.redis.timeout' must be at least 1ms: 0s
					store.redis.lease=-1s                 | 'sluice.store.redis.lease' must be at least 1ms: -1s
					store.redis.batch=0                   | 'sluice.store.redis.batch' must be greater than 0: 0
					store.redis.wait-replicas=-1          | 'sluice.store.redis.wait-replicas' must be quorum or a number that is not negative: -1
					store.jdbc.schema=Limits              | 'sluice.store.jdbc.schema' must be a name of lower case letters, digits and underscores: Limits
					store.jdbc.timeout=0s                 | 'sluice.store.jdbc.timeout' must be at least 1ms: 0s
					store.jdbc.lease=-1s                  | 'sluice.store.jdbc.lease' must be at least 1ms: -1s
					store.jdbc.pool-size=1                | 'sluice.store.jdbc.pool-size' must be at least 2, as one connection listens: 1
					annotations.max-wait=-1s              | 'sluice.annotations.max-wait' must not be negative: -1s
					annotations.default-action=retry   | 'sluice.annotations.default-action' must be reject, wait or drop: retry
					annotations.default-action=default | 'sluice.annotations.default-action' must be reject, wait or drop: default
					""")
	void valueIsOutOfRange(String property, String description) {
		String name = "sluice." + property.substring(0, property.indexOf('='));
		assertMistake(this.contextRunner.withPropertyValues("sluice.journal.enabled=true", "sluice." + property),
				"Property " + description, "Correct '" + name + "', or remove it to have the default.");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					sluice.throttles.q.period=10          | 'sluice.throttles.q.period' has no unit: 10  | Add one to 'sluice.throttles.q.period', such as 10s or 10ms.
					sluice.throttles.q.lease=5000         | 'sluice.throttles.q.lease' has no unit: 5000 | Add one to 'sluice.throttles.q.lease', such as 5000s or 5000ms.
					sluice.websocket.idle-timeout=30      | 'sluice.websocket.idle-timeout' has no unit: 30 | Add one to 'sluice.websocket.idle-timeout', such as 30s or 30ms.
					sluice.websocket.heartbeat.interval=-1 | 'sluice.websocket.heartbeat.interval' has no unit: -1 | Add one to 'sluice.websocket.heartbeat.interval', such as
					sluice.annotations.max-wait=${w:5}    | 'sluice.annotations.max-wait' has no unit: ${w:5} | Add one to 'sluice.annotations.max-wait', such as
					management.health.sluice.max-wait=30  | 'management.health.sluice.max-wait' has no unit: 30 | Add one to 'management.health.sluice.max-wait', such as
					sluice.throttles.q.limt=3             | 'sluice.throttles.q.limt' is unknown | Did you mean 'sluice.throttles.q.limit'? A limit has the options at-max-keys, batch, buckets, capacity, dry-run, failure-policy, lease, limit, max-keys, max-limit, max-waiting, min-limit, period, status, type.
					sluice.throttles.q.max-key=3          | 'sluice.throttles.q.max-key' is unknown | Did you mean 'sluice.throttles.q.max-keys'?
					sluice.throttles.q.status=399         | 'sluice.throttles.q.status' must be a status of errors, from 400 to 599: 399 | Set 'sluice.throttles.q.status' to a value that fits, or remove it
					sluice.throttles.q.status=600         | 'sluice.throttles.q.status' must be a status of errors, from 400 to 599: 600 | Set 'sluice.throttles.q.status' to a value that fits, or remove it
					sluice.websocket.shutdown-timeout=30s | 'sluice.websocket.shutdown-timeout' must be less than 'spring.lifecycle.timeout-per-shutdown-phase', which is PT30S: PT30S | Remove 'sluice.websocket.shutdown-timeout' to have three quarters of the phase, or set a shorter time
					sluice.websocket.inbound.high-water-mark=1024 | 'sluice.websocket.inbound.high-water-mark' must be less than 'sluice.execution.queue-capacity', which is 1024: 1024 | Set 'sluice.websocket.inbound.high-water-mark' to less than 1024, or raise 'sluice.execution.queue-capacity'.
					sluice.journal.batchsise=3            | 'sluice.journal.batchsise' is unknown | Did you mean 'sluice.journal.batch-size'?
					sluice.store.redis.time-outs=3s       | 'sluice.store.redis.time-outs' is unknown | Did you mean 'sluice.store.redis.timeout'?
					sluice.store.jdbc.pool-sizes=3        | 'sluice.store.jdbc.pool-sizes' is unknown | Did you mean 'sluice.store.jdbc.pool-size'?
					sluice.annotations.max-waits=3s       | 'sluice.annotations.max-waits' is unknown | Did you mean 'sluice.annotations.max-wait'?
					sluice.websocket.stomp.enable=false   | 'sluice.websocket.stomp.enable' is unknown | Did you mean 'sluice.websocket.stomp.enabled'?
					sluice.throttles.my.api.limit=3       | 'sluice.throttles.my.api.limit' is unknown | If the limit is called 'my.api', write 'sluice.throttles.[my.api].limit'.
					sluice.batches.q.push-interval=10     | 'sluice.batches.q.push-interval' has no unit: 10 | Add one to 'sluice.batches.q.push-interval', such as 10s or 10ms.
					sluice.batches.q.slot=3               | 'sluice.batches.q.slot' is unknown | Did you mean 'sluice.batches.q.slots'? A batch has the options batch-size, max-concurrency, max-waiting, overflow, push-interval, retries, slots.
					sluice.batches.my.api.slots=3         | 'sluice.batches.my.api.slots' is unknown | If the batch is called 'my.api', write 'sluice.batches.[my.api].slots'.
					sluice.batch.q.slots=3                | 'sluice.batch.q.slots' is unknown | Did you mean 'sluice.batches.q.slots'?
					sluice.batches.q.slots=3              | 'sluice.batches.q' is for a batch that nothing listens to | Annotate a method with @BatchListener("q"), or remove the property.
					sluice.websocket.inbound.high-watermark.x=3 | 'sluice.websocket.inbound.high-watermark.x' is unknown | Did you mean 'sluice.websocket.inbound.high-water-mark'?
					sluice.websocket.max-session=3        | 'sluice.websocket.max-session' is unknown | Did you mean 'sluice.websocket.max-sessions'?
					sluice.executor.workers=3             | 'sluice.executor.workers' is unknown | Did you mean 'sluice.execution.workers'?
					sluice.enable=false                   | 'sluice.enable' is unknown | Did you mean 'sluice.enabled'?
					sluice.throttle.q.limit=3             | 'sluice.throttle.q.limit' is unknown | Did you mean 'sluice.throttles.q.limit'?
					""")
	void nameOrUnitIsWrong(String property, String description, String action) {
		assertMistake(this.contextRunner.withPropertyValues("sluice.throttles.q.limit=1",
				"sluice.throttles.q.period=1s", property), "Property " + description, action);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					websocket.inbound.high-water-mark=128 | high-water-mark' must be less than 'sluice.execution.queue-capacity', which is 100: 128 | Set 'sluice.websocket.inbound.high-water-mark' to less than 100, or raise
					websocket.inbound.low-water-mark=50   | low-water-mark' must be less than 'sluice.websocket.inbound.high-water-mark', which is 50: 50 | Correct 'sluice.websocket.inbound.low-water-mark', or remove it to have the default.
					""")
	void waterMarkDoesNotFitTheCapacity(String property, String description, String action) {
		assertMistake(
				this.contextRunner.withPropertyValues("sluice.execution.queue-capacity=100", "sluice." + property),
				description, action);
	}

	static Stream<Arguments> annotated() {
		return Stream.of(
				Arguments.of(PeriodWithoutUnit.class, "'period = \"10\"' of @Throttled(\"words\") has no unit",
						"Add one, as in 10s or 10ms."),
				Arguments.of(WaitWithoutUnit.class, "'maxWait = \"5\"' of @WhenThrottled has no unit",
						"Add one, as in 5s or 5ms."),
				Arguments.of(NoBuckets.class, "'buckets' of @Throttled(\"words\") ", "sluice.throttles.words"),
				Arguments.of(Undefined.class,
						"'value = \"quote\"' of @Throttled(\"quote\") names a limit that is not defined",
						"Set 'sluice.throttles.quote.limit' and 'sluice.throttles.quote.period'. Limits so far: quotes."),
				Arguments.of(NoKeyOfRecord.class,
						"'key = \"#order.idd\"' of @Throttled(\"quotes\") reads 'idd', which Order" + " does not have",
						"Use one of: id, customer."),
				Arguments.of(NoKeyWithinRecord.class, "reads 'nme', which Customer does not have", "Use one of: name."),
				Arguments.of(NoSuchName.class, "names '#order', which is neither a parameter nor one of #session",
						"Use one of: #a; in message handlers also #session, #principal, #headers."),
				Arguments.of(RetryOfAPlainMethod.class,
						"'action = RETRY' of @WhenThrottled cannot be followed, as the callers of the method block",
						"Add @Async, return a CompletionStage, Mono or Flux, or set action = Action.WAIT."),
				Arguments.of(DelayOfAWait.class, "'delay = \"1s\"' of @WhenThrottled has no effect: the action is WAIT",
						"Set action = Action.RETRY, or remove 'delay'."),
				Arguments.of(OtherKind.class, "requires a mutex, but is a rate limit", "Use @Throttled, or give"),
				Arguments.of(NobodyFollows.class,
						"has a semaphore or mutex, but the end of the Callable that it returns cannot be detected",
						"Put the annotation on a handler method of Spring MVC, or return a CompletionStage, Mono or Flux."),
				Arguments.of(ReadsLater.class,
						"has a semaphore or mutex, but the end of the Stream that it returns cannot be detected",
						"Return a collection or a Flux, as a stream is read after the method has returned."),
				Arguments.of(NothingLimits.class, "has @WhenThrottled, but nothing limits it",
						"Add @Throttled, @Semaphore or @Mutex"));
	}

	@ParameterizedTest
	@MethodSource("annotated")
	void annotationIsWrong(Class<?> bean, String description, String action) {
		assertMistake(
				this.contextRunner.withBean(bean)
					.withPropertyValues("sluice.throttles.quotes.limit=1", "sluice.throttles.quotes.period=1s"),
				description, action);
	}

	@Test
	void nodesAreToBeConnectedOverRedisAndThereIsNone() {
		assertMistake(this.contextRunner.withPropertyValues("sluice.cluster.type=redis"),
				"Nodes are to be connected over Redis by 'sluice.cluster.type', and there is no bus over Redis",
				"Add the dependencies 'dev.sluice:sluice-redis' and");
	}

	static Stream<Arguments> batches() {
		return Stream.of(
				Arguments.of(List.of(Journal.class),
						"Method MistakesTests.Journal.take of bean 'mistakesTests.Journal' listens to the batch"
								+ " 'journal', whose name the meters of the journal of sent messages use",
						"Give the batch another name."),
				Arguments.of(List.of(NoList.class),
						"Method MistakesTests.NoList.take of bean 'mistakesTests.NoList' must have one parameter of type"
								+ " List, the items",
						"Declare it as take(List<T> items)."),
				Arguments.of(List.of(TwoLists.class), "must have one parameter of type List", "take(List<T> items)"),
				Arguments.of(List.of(MoreThanAList.class), "has a parameter that is not supported",
						"Leave the List of the items and, if wanted, one int, the slot, and one CancellationSignal."),
				Arguments.of(List.of(ReturnsANumber.class), "returns int, which is not supported",
						"Return nothing, or a CompletionStage that ends when the batch has been dealt with."),
				Arguments.of(List.of(AsyncListener.class),
						"is @Async, so that a batch would end before it is dealt with",
						"Remove @Async, as a batch has threads of its own, or return a CompletionStage."),
				Arguments.of(List.of(PrivateListener.class), "must not be private or static",
						"Make it a method that a proxy of the bean can override."),
				Arguments.of(List.of(Orders.class, OtherOrders.class),
						"Batch 'orders' has two listeners: Method MistakesTests.Orders.take of bean"
								+ " 'mistakesTests.Orders', and Method MistakesTests.OtherOrders.take of bean",
						"Give one of the two another name, or have one call the other."),
				Arguments.of(List.of(Orders.class, OrdersPump.class), "and the BatchPump bean 'orders'",
						"Give one of the two another name"),
				Arguments.of(List.of(Orders.class, Mistyped.class),
						"required the batch 'ordres' as a dev.sluice.batch.BatchConsumer<dev.sluice.autoconfigure."
								+ "MistakesTests$Order>, and nothing listens to a batch of that name and such items.",
						"Did you mean 'orders'? Annotate a method that has a List of these items with"
								+ " @BatchListener(\"ordres\"). Batches so far: orders."),
				Arguments.of(List.of(Orders.class, OtherItems.class),
						"BatchConsumer<java.lang.String>, and there is no batch of such items.",
						"Annotate a method that has a List of these items with @BatchListener."));
	}

	@ParameterizedTest
	@MethodSource("batches")
	void batchIsWrong(List<Class<?>> types, String description, String action) {
		assertMistake(this.contextRunner.withUserConfiguration(types.toArray(Class<?>[]::new)), description, action);
	}

	@Test
	void propertyIsForABatchOfAnotherName() {
		assertMistake(
				this.contextRunner.withUserConfiguration(Orders.class)
					.withPropertyValues("sluice.batches.ordres.slots=3"),
				"Property 'sluice.batches.ordres' is for a batch that nothing listens to",
				"Did you mean 'sluice.batches.orders'? Annotate a method with @BatchListener(\"ordres\")");
	}

	static Stream<Arguments> endpoints() {
		return Stream.of(
				Arguments.of(List.of(NoSession.class), "It must extend dev.sluice.websocket.ManagedSession",
						"Let NoSession extend ManagedSession, or remove @WebSocketEndpoint."),
				Arguments.of(List.of(Single.class), "Its bean 'mistakesTests.Single' must be a prototype",
						"Remove its @Scope, or declare the bean with @Scope(\"prototype\")"),
				Arguments.of(List.of(Pathless.class), "It must have a path", "@WebSocketEndpoint(path = \"/bank\")"),
				Arguments.of(List.of(Bank.class, OtherBank.class),
						"MistakesTests$OtherBank is invalid. Its path '/bank' is also the path of "
								+ Bank.class.getName(),
						"Give one of the two another path or another of 'subProtocols', or define a bean of type"
								+ " SessionTypeResolver."),
				Arguments.of(List.of(Private.class), "must not be private or static", "or remove @OnMessage."),
				Arguments.of(List.of(TwoParameters.class), "must have at most one parameter, the message",
						"Leave one parameter; the session is 'this'"),
				Arguments.of(List.of(NoParameter.class), "must have a parameter, or name the type of its messages",
						"@OnMessage(\"ping\")"),
				Arguments.of(List.of(NoValidator.class), "has its message validated, and there is no Validator",
						"Add 'spring-boot-starter-validation', or remove the annotation of the parameter."),
				Arguments.of(List.of(Ambiguous.class), "Two methods handle messages of type 'order'",
						"Remove one of the two, or name another type for one"),
				Arguments.of(List.of(Unsatisfied.class),
						"Parameter 0 of constructor in " + Unsatisfied.class.getName()
								+ " required a bean of type 'java.util.concurrent.Phaser' that could not be found.",
						"Consider defining a bean of type 'java.util.concurrent.Phaser'"),
				Arguments.of(List.of(NoSuchNameInSession.class),
						"names '#order', which is neither a parameter nor one of",
						"Use one of: #message; in message handlers also #session, #principal, #headers."));
	}

	static Stream<Arguments> topics() {
		return Stream.of(
				Arguments.of(NoSuchVariable.class,
						"Its topic 'room-{rom}' names '{rom}', which its path '/rooms/{floor}/{*room}' does not have",
						"Use one of: {floor}, {room}."),
				Arguments.of(NoVariables.class,
						"Its topic 'room-{room}' names '{room}', which its path '/rooms' does not",
						"Name the variable in the path, as in '/rooms/{room}'."),
				Arguments.of(NotInAllPaths.class, "names '{room}', which its path '/lobby' does not have",
						"'/lobby/{room}'"),
				Arguments.of(HalfAVariable.class, "Its topic 'room-{room' has a brace that is no variable's",
						"Write a variable of the path as {name}"),
				Arguments.of(AnExpression.class, "Its topic '#{room}-{1 + 1}' has a brace that is no variable's",
						"Write a variable of the path as {name}"),
				Arguments.of(NoSuchProperty.class,
						"Its topic '${rooms.prefix}-{room}' has a placeholder without a value",
						"Set the property that it names, or give it a default, as in ${rooms.prefix:room}."),
				Arguments.of(Nameless.class, "Its topic '' must have 1 to 255 characters",
						"Give the topic a name of that length."),
				Arguments.of(TooManyTopics.class, "It has 3 topics, and a session may join 2",
						"Raise 'sluice.cluster.max-topics-per-session', or name fewer topics."));
	}

	@ParameterizedTest
	@MethodSource("topics")
	void topicOfAnEndpointIsWrong(Class<?> type, String description, String action) {
		WebApplicationContextRunner limited = this.contextRunner.withUserConfiguration(type)
			.withPropertyValues("sluice.cluster.max-topics-per-session=2");
		assertMistake(limited, description, action);
		assertMistake(limited.withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class)),
				description, action);
	}

	@Test
	void topicsOfAnEndpointNeedACluster() {
		assertMistake(
				this.contextRunner.withUserConfiguration(TooManyTopics.class)
					.withPropertyValues("sluice.cluster.enabled=false"),
				"TooManyTopics is invalid. It has topics, and there is no SessionCluster",
				"Remove 'sluice.cluster.enabled' to have one, or remove 'topics'.");
	}

	@Test
	void topicsOfAnEndpointNeedTheModuleOfTheCluster() {
		assertMistake(
				this.contextRunner.withUserConfiguration(TooManyTopics.class)
					.withClassLoader(new FilteredClassLoader("dev.sluice.cluster")),
				"It has topics or is resumable, and 'sluice-cluster' is not on the class path",
				"Add the dependency dev.sluice:sluice-cluster, or remove 'topics' and 'resumable'.");
	}

	@ParameterizedTest
	@MethodSource("endpoints")
	void endpointIsWrong(List<Class<?>> types, String description, String action) {
		assertMistake(
				this.contextRunner.withUserConfiguration(types.toArray(Class<?>[]::new))
					.withPropertyValues("sluice.throttles.quotes.limit=1", "sluice.throttles.quotes.period=1s"),
				description, action);
	}

	@Test
	void resumableEndpointNeedsRecordsOfTheBus() {
		assertMistake(this.contextRunner.withUserConfiguration(Resumable.class, PlainBus.class),
				"Resumable is invalid. It is resumable, and the bus " + BareBus.class.getName()
						+ " offers no records of sessions",
				"Implement ClusterBus.records() in it, or remove 'resumable'.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sluice.cluster.presence.topics=room-*", "sluice.cluster.topics[room-*].presence=true" })
	void presenceNeedsARegistryOfTheBus(String property) {
		assertMistake(
				this.contextRunner.withUserConfiguration(Rooms.class, PlainBus.class).withPropertyValues(property),
				"and the bus " + BareBus.class.getName() + " offers no registry of presence",
				"Implement ClusterBus.presence() in it, or remove the presence");
	}

	static Stream<Arguments> destinations() {
		return Stream.of(
				Arguments.of(NoSimpleBroker.class, "is set, but the application has no simple broker",
						"Call 'enableSimpleBroker' in a WebSocketMessageBrokerConfigurer, or remove"
								+ " 'sluice.cluster.stomp.destinations'"),
				Arguments.of(OtherDestinations.class,
						"has '/topic/**', which is no destination of the simple broker; these begin with /chat, /queue",
						"Correct '/topic/**', or add its prefix to 'enableSimpleBroker'."),
				Arguments.of(OwnCluster.class, "is set, but the SessionCluster is the application's own",
						"Remove 'sluice.cluster.stomp.destinations', or define a ClusterBus"));
	}

	@ParameterizedTest
	@MethodSource("destinations")
	void destinationsOfAllNodesAreWrong(Class<?> application, String description, String action) {
		assertMistake(
				this.contextRunner
					.withConfiguration(AutoConfigurations.of(SluiceStompAutoConfiguration.class,
							SluiceClusterStompAutoConfiguration.class))
					.withUserConfiguration(application)
					.withPropertyValues("sluice.cluster.stomp.destinations=/queue/**,/topic/**"),
				"'sluice.cluster.stomp.destinations' " + description, action);
	}

	private static void assertMistake(WebApplicationContextRunner contextRunner, String description, String action) {
		AtomicReference<BeanFactory> beans = new AtomicReference<>(new DefaultListableBeanFactory());
		contextRunner.withInitializer((context) -> beans.set(context.getBeanFactory())).run((context) -> {
			FailureAnalysis analysis = analyze(context, beans.get());
			assertThat(analysis).as("analysis of %s", context.getStartupFailure()).isNotNull();
			assertThat(analysis.getDescription()).contains(description);
			assertThat(analysis.getAction()).contains(action);
		});
	}

	/** As Boot does it: the first analyzer that knows the failure explains it. */
	private static @Nullable FailureAnalysis analyze(AssertableWebApplicationContext context, BeanFactory beans) {
		Throwable failure = context.getStartupFailure();
		assertThat(failure).as("failure of the start").isNotNull();
		ArgumentResolver arguments = ArgumentResolver.of(Environment.class, new StandardEnvironment())
			.and(BeanFactory.class, beans);
		List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(FailureAnalyzer.class, arguments, (type, name, failed) -> {
			});
		return analyzers.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSocketMessageBroker
	static class NoSimpleBroker implements WebSocketMessageBrokerConfigurer {

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/stomp");
		}

		@Override
		public void configureMessageBroker(MessageBrokerRegistry registry) {
			registry.enableStompBrokerRelay("/topic", "/queue").setAutoStartup(false);
		}

	}

	static class OtherDestinations extends NoSimpleBroker {

		@Override
		public void configureMessageBroker(MessageBrokerRegistry registry) {
			registry.enableSimpleBroker("/chat", "/queue");
		}

	}

	@Import(StompBroker.class)
	static class OwnCluster {

		@Bean
		SessionCluster cluster() {
			return mock();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PlainBus {

		@Bean
		BareBus bus() {
			return new BareBus();
		}

	}

	@WebSocketEndpoint(path = "/resumable", resumable = true)
	static class Resumable extends ManagedSession {

	}

	@WebSocketEndpoint(path = "/rooms", topics = "room-1")
	static class Rooms extends ManagedSession {

	}

	record Order(String id, Customer customer) {

	}

	record Customer(String name) {

	}

	static class PeriodWithoutUnit {

		@Throttled(value = "words", limit = 1, period = "10")
		void run() {
		}

	}

	static class RetryOfAPlainMethod {

		@Throttled("quotes")
		@WhenThrottled(action = Action.RETRY)
		void run() {
		}

	}

	static class DelayOfAWait {

		@Throttled("quotes")
		@WhenThrottled(action = Action.WAIT, delay = "1s")
		void run() {
		}

	}

	static class WaitWithoutUnit {

		@Throttled("quotes")
		@WhenThrottled(action = Action.WAIT, maxWait = "5")
		void run() {
		}

	}

	static class NoBuckets {

		@Throttled(value = "words", type = LimitType.SLIDING_WINDOW, limit = 1, period = "1s")
		void run() {
		}

	}

	static class Undefined {

		@Throttled("quote")
		void run() {
		}

	}

	static class NoKeyOfRecord {

		@Throttled(value = "quotes", key = "#order.idd")
		void run(Order order) {
		}

	}

	static class NoKeyWithinRecord {

		@Throttled(value = "quotes", key = "#order.customer.nme")
		void run(Order order) {
		}

	}

	static class NoSuchName {

		@Throttled(value = "quotes", key = "#order.id")
		void run(Order a) {
		}

	}

	static class OtherKind {

		@Mutex("quotes")
		void run() {
		}

	}

	static class NobodyFollows {

		@Mutex("words")
		Callable<String> report() {
			return () -> "done";
		}

	}

	static class ReadsLater {

		@Mutex("words")
		Stream<String> report() {
			return Stream.of("done");
		}

	}

	static class NothingLimits {

		@WhenThrottled(action = Action.WAIT)
		void run() {
		}

	}

	static class NoList {

		@BatchListener("orders")
		void take(Order order) {
		}

	}

	static class TwoLists {

		@BatchListener("orders")
		void take(List<Order> orders, List<Customer> customers) {
		}

	}

	static class MoreThanAList {

		@BatchListener("orders")
		void take(List<Order> orders, String tenant) {
		}

	}

	static class ReturnsANumber {

		@BatchListener("orders")
		int take(List<Order> orders) {
			return orders.size();
		}

	}

	static class AsyncListener {

		@BatchListener("orders")
		@Async
		void take(List<Order> orders) {
		}

	}

	static class PrivateListener {

		@BatchListener("orders")
		private void take(List<Order> orders) {
		}

	}

	static class Orders {

		@BatchListener("orders")
		void take(List<Order> orders) {
		}

	}

	static class Journal {

		@BatchListener("journal")
		void take(List<Order> entries) {
		}

	}

	static class OtherOrders {

		@BatchListener("orders")
		void take(List<Order> orders) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OrdersPump {

		@Bean
		BatchPump<Order> orders() {
			return (orders, slot) -> CompletableFuture.completedFuture(null);
		}

	}

	static class Mistyped {

		Mistyped(@Qualifier("ordres") BatchConsumer<Order> orders) {
		}

	}

	static class OtherItems {

		OtherItems(BatchConsumer<String> orders) {
		}

	}

	@WebSocketEndpoint(path = "/bank")
	static class NoSession {

	}

	@WebSocketEndpoint(path = "/bank")
	@Scope("singleton")
	static class Single extends ManagedSession {

	}

	@WebSocketEndpoint(path = {})
	static class Pathless extends ManagedSession {

	}

	@WebSocketEndpoint(path = "/bank")
	static class Bank extends ManagedSession {

	}

	@WebSocketEndpoint(path = "/bank")
	static class OtherBank extends ManagedSession {

	}

	@WebSocketEndpoint(path = "/bank")
	static class Private extends ManagedSession {

		@OnMessage
		private void take(Order order) {
		}

	}

	@WebSocketEndpoint(path = "/bank")
	static class TwoParameters extends ManagedSession {

		@OnMessage
		void take(Order order, String session) {
		}

	}

	@WebSocketEndpoint(path = "/bank")
	static class NoParameter extends ManagedSession {

		@OnMessage
		void take() {
		}

	}

	@WebSocketEndpoint(path = "/bank")
	static class NoValidator extends ManagedSession {

		@OnMessage
		void take(@Validated Order order) {
		}

	}

	@WebSocketEndpoint(path = "/bank")
	static class Ambiguous extends ManagedSession {

		@OnMessage
		void take(Order order) {
		}

		@OnMessage("order")
		void takeToo(Customer customer) {
		}

	}

	@WebSocketEndpoint(path = "/bank")
	static class Unsatisfied extends ManagedSession {

		Unsatisfied(Phaser phaser) {
		}

	}

	@WebSocketEndpoint(path = "/bank")
	static class NoSuchNameInSession extends ManagedSession {

		@OnMessage
		@Throttled(value = "quotes", key = "#order.id")
		void take(Order message) {
		}

	}

	@WebSocketEndpoint(path = "/rooms/{floor}/{*room}", topics = "room-{rom}")
	static class NoSuchVariable extends ManagedSession {

	}

	@WebSocketEndpoint(path = "/rooms", topics = "room-{room}")
	static class NoVariables extends ManagedSession {

	}

	@WebSocketEndpoint(path = { "/rooms/{room:[a-z]{2}}", "/lobby" }, topics = "room-{room}")
	static class NotInAllPaths extends ManagedSession {

	}

	@WebSocketEndpoint(path = "/rooms/{room}", topics = "room-{room")
	static class HalfAVariable extends ManagedSession {

	}

	@WebSocketEndpoint(path = "/rooms/{room}", topics = "#{room}-{1 + 1}")
	static class AnExpression extends ManagedSession {

	}

	@WebSocketEndpoint(path = "/rooms/{room}", topics = "${rooms.prefix}-{room}")
	static class NoSuchProperty extends ManagedSession {

	}

	@WebSocketEndpoint(path = "/rooms/{room}", topics = "")
	static class Nameless extends ManagedSession {

	}

	@WebSocketEndpoint(path = "/rooms/{room}", topics = { "lobby", "room-{room}", "news" })
	static class TooManyTopics extends ManagedSession {

	}

}
