package dev.sluice.observation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.cluster.ObservedExchange;
import dev.sluice.execution.Level;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.websocket.InvalidMessageException;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.SessionClosedException;
import io.micrometer.common.KeyValue;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Observations, told of by one thread; the page {@code docs/operations.md} lists them.
 */
class ObservationsTests {

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	private final MessageObservations messages = new MessageObservations(this.registry);

	private final LineObservations lines = new LineObservations(this.registry);

	private final ClusterObservations nodes = new ClusterObservations(this.registry);

	private final List<Observation.Context> started = new ArrayList<>();

	@Test
	void whatAThreadDoesInAScopeBelongsToTheMessageAndWhatItDidBeforeComesBack() {
		Observation before = Observation.start("before", this.registry);
		ObservedMessage message = this.messages.received("Bank", "1", Level.NORMAL);
		before.scoped(() -> {
			ObservedMessage.Scope scope = message.open();
			assertThat(current()).isEqualTo("sluice.message.handling");
			message.open().close();
			assertThat(current()).isEqualTo("sluice.message.handling");
			scope.close();
			assertThat(current()).isEqualTo("before");
		});
		message.ended(null);
		before.stop();
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	private String current() {
		return Objects.requireNonNull(this.registry.getCurrentObservation()).getContext().getName();
	}

	@Test
	void onlyTheFirstFailureCounts() {
		ObservedMessage message = this.messages.received("Bank", "1", Level.NORMAL);
		message.failed(new SessionClosedException("1"));
		message.failed(new IllegalStateException());
		message.ended(null);
		assertThat(this.registry).hasSingleObservationThat()
			.hasLowCardinalityKeyValue("outcome", "closed")
			.doesNotHaveError()
			.hasBeenStopped();
	}

	static Stream<Arguments> failures() {
		ThrottledException throttled = new ThrottledException("commands", "", null);
		return Stream.of(Arguments.of(throttled, "throttled", false),
				Arguments.of(new CompletionException(throttled), "throttled", false),
				Arguments.of(new InvalidMessageException("unreadable", "expected"), "invalid", false),
				Arguments.of(new SessionClosedException("1"), "closed", false),
				Arguments.of(new RejectedExecutionException(), "rejected", true),
				Arguments.of(new IllegalStateException(), "failed", true));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void theOutcomeOfAMessageIsThatOfItsFailure(Throwable failure, String outcome, boolean error) {
		ObservedMessage message = this.messages.received("Bank", "1", Level.NORMAL);
		message.failed(failure);
		message.ended(null);
		assertThat(this.registry).hasSingleObservationThat().hasLowCardinalityKeyValue("outcome", outcome);
		if (error) {
			assertThat(this.registry).hasSingleObservationThat().hasError(failure);
		}
		else {
			assertThat(this.registry).hasSingleObservationThat().doesNotHaveError();
		}
	}

	static Stream<Arguments> endsOfWaits() {
		return Stream.of(Arguments.of(new ThrottledException("commands", "", null), "rejected", false),
				Arguments.of(new CancellationException(), "left", false),
				Arguments.of(new IllegalStateException(), "failed", true));
	}

	@ParameterizedTest
	@MethodSource("endsOfWaits")
	void theOutcomeOfAWaitIsThatOfItsFailure(Throwable failure, String outcome, boolean error) {
		Objects.requireNonNull(this.lines.waiting(List.of("commands"))).accept(failure);
		assertThat(this.registry).hasSingleObservationThat().hasLowCardinalityKeyValue("outcome", outcome);
		if (error) {
			assertThat(this.registry).hasSingleObservationThat().hasError(failure);
		}
		else {
			assertThat(this.registry).hasSingleObservationThat().doesNotHaveError();
		}
	}

	@Test
	void aMessageThatFindsNoPlaceIsAnErrorWithoutATurn() {
		RejectedExecutionException refusal = new RejectedExecutionException();
		this.messages.sending("Bank", "1", Level.HIGH).ended(refusal);
		assertThat(this.registry).hasSingleObservationThat()
			.hasLowCardinalityKeyValue("outcome", "rejected")
			.hasError(refusal)
			.doesNotHaveEvent("turn")
			.hasBeenStopped();
	}

	@Test
	void nothingIsMadeWhereNobodyWantsToKnow() {
		ObservationRegistry deaf = ObservationRegistry.create();
		assertThat(new MessageObservations(deaf).received("Bank", "1", Level.NORMAL)).isSameAs(ObservedMessage.NONE);
		assertThat(new LineObservations(deaf).waiting(List.of("commands"))).isNull();
		this.registry.observationConfig().observationPredicate((name, context) -> !name.startsWith("sluice."));
		assertThat(this.messages.sending("Bank", "1", Level.NORMAL)).isSameAs(ObservedMessage.NONE);
		assertThat(this.lines.waiting(List.of("commands"))).isNull();
		for (ClusterObservations unheard : List.of(new ClusterObservations(deaf), this.nodes)) {
			assertThat(unheard.sending("send", null)).isSameAs(ObservedExchange.NONE);
			assertThat(unheard.receiving("send", null, Map.of())).isSameAs(ObservedExchange.NONE);
		}
	}

	@Test
	void theOutcomeOfWhatANodeAsksForIsThatOfAllNodes() {
		IllegalStateException failure = new IllegalStateException();
		ObservedExchange failed = this.nodes.sending("publish", "room");
		failed.ended(new CompletionException(failure));
		assertThat(this.registry).hasSingleObservationThat()
			.hasLowCardinalityKeyValue("outcome", "failed")
			.hasHighCardinalityKeyValue("topic", "room")
			.hasError(failure);
		this.registry.clear();
		ObservedExchange unanswered = this.nodes.sending("send", null);
		unanswered.unanswered();
		unanswered.ended(null);
		assertThat(this.registry).hasSingleObservationThat()
			.hasLowCardinalityKeyValue("outcome", "unanswered")
			.doesNotHaveHighCardinalityKeyValueWithKey("topic")
			.doesNotHaveError();
	}

	@Test
	void eachIsATimerAndALongTaskTimerAsThePageSays() throws IOException {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		this.registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
		ObservedMessage handled = this.messages.received("Bank", "1", Level.NORMAL);

		assertThat(meters.get("sluice.message.handling.active").longTaskTimer().activeTasks()).isEqualTo(1);
		handled.ended(null);

		assertThat(meters.get("sluice.message.handling").timer().getId().getTags()).extracting(Tag::getKey)
			.containsExactly("error", "level", "outcome", "type");
		assertThat(Files.readString(Path.of("..", "docs", "operations.md")))
			.contains("With a Micrometer registry, Spring Boot also records each as a timer of that name")
			.contains("`sluice.message.handling.active`");
	}

	@Test
	void aSpanOfAMessageNamesItsTypeAndItsUser() {
		ObservedMessage message = this.messages.received("Bank", "1", Level.NORMAL);
		message.identified("deposit", () -> "alice");
		message.ended(null);
		assertThat(this.registry).hasSingleObservationThat()
			.hasHighCardinalityKeyValue("message", "deposit")
			.hasHighCardinalityKeyValue("user", "alice");
	}

	@Test
	void noKeyTellsASession() {
		this.registry.observationConfig().observationHandler(new Starts());
		for (int i = 0; i < 10; i++) {
			this.messages.received("Bank", "session-" + i, Level.NORMAL).ended(null);
		}
		assertThat(this.started).hasSize(10)
			.extracting(ObservationsTests::keys)
			.containsOnly(keys(this.started.get(0)));
	}

	private static List<KeyValue> keys(Observation.Context context) {
		return context.getAllKeyValues().stream().toList();
	}

	@Test
	void aTraceShowsTheTimeInTheQueueAndInLine() {
		SimpleTracer tracer = new SimpleTracer();
		this.registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
		ObservedMessage message = this.messages.received("Bank", "1", Level.NORMAL);
		ObservedMessage.Scope scope = message.open();
		Consumer<Throwable> line = Objects.requireNonNull(this.lines.waiting(List.of("commands", "order")));
		ObservedMessage answer = this.messages.sending("Bank", "1", Level.NORMAL);
		line.accept(null);
		answer.open().close();
		answer.ended(null);
		scope.close();
		message.open().close();
		message.ended(null);
		assertThat(tracer.getSpans()).extracting(SimpleSpan::getName)
			.containsExactlyInAnyOrder("handle Bank", "wait for commands,order", "send Bank");
		SimpleSpan handling = span(tracer, "handle Bank");
		assertThat(handling.getEvents()).singleElement().returns("turn", (event) -> event.getValue());
		assertThat(handling.getTags()).containsEntry("outcome", "completed").doesNotContainValue("1");
		assertThat(List.of(span(tracer, "wait for commands,order"), span(tracer, "send Bank")))
			.allSatisfy((span) -> assertThat(span.getParentId()).isEqualTo(handling.getSpanId()));
	}

	private static SimpleSpan span(SimpleTracer tracer, String name) {
		return tracer.getSpans().stream().filter((span) -> span.getName().equals(name)).findFirst().orElseThrow();
	}

	@Test
	void thePageNamesEveryObservationWithItsKeysAndOutcomesAndNoOther() throws IOException {
		this.registry.observationConfig().observationHandler(new Starts());
		this.messages.received("{type}", "1", Level.NORMAL).ended(null);
		this.messages.sending("{type}", "1", Level.NORMAL).ended(null);
		Objects.requireNonNull(this.lines.waiting(List.of("{resource}"))).accept(null);
		this.nodes.sending("{action}", null).ended(null);
		this.nodes.receiving("{action}", null, Map.of()).ended(null);
		List<String> rows = new ArrayList<>();
		for (SluiceObservation observation : SluiceObservation.values()) {
			Observation.Context context = this.started.get(observation.ordinal());
			assertThat(context.getLowCardinalityKeyValues()).extracting(KeyValue::getKey)
				.containsExactlyInAnyOrderElementsOf(
						Stream.of(observation.getLowCardinalityKeyNames()).map(KeyName::asString).toList());
			rows.add("`%s`|%s|%s|%s".formatted(context.getName(), context.getContextualName(),
					code(Stream.of(observation.getLowCardinalityKeyNames()).map(KeyName::asString)),
					code(Stream.of(observation.getEvents()).map(Observation.Event::getName))));
		}
		String page = Files.readString(Path.of("..", "docs", "operations.md"));
		assertThat(rows(page, "observations", 4)).containsExactlyElementsOf(rows);
		assertThat(rows(page, "outcomes", 2))
			.containsExactlyElementsOf(Stream
				.of(outcomes("message", MessageObservationContext.Outcome.values()),
						outcomes("wait", LineObservationContext.Outcome.values()),
						outcomes("node", ClusterExchangeContext.Outcome.values()))
				.flatMap(Function.identity())
				.toList());
	}

	private static Stream<String> outcomes(String of, Enum<?>[] outcomes) {
		return Stream.of(outcomes)
			.map(Enum::name)
			.filter((name) -> !name.equals("UNKNOWN"))
			.map((name) -> "%s|`%s`".formatted(of, name.toLowerCase(Locale.ROOT)));
	}

	private static String code(Stream<String> names) {
		return names.map("`%s`"::formatted).collect(Collectors.joining(", "));
	}

	/** The first columns of the rows of a table. */
	private static List<String> rows(String page, String table, int columns) {
		return page.substring(page.indexOf("<!-- " + table + " -->"))
			.lines()
			.skip(3)
			.takeWhile((line) -> line.startsWith("|"))
			.map((line) -> Stream.of(line.substring(1).split("\\|"))
				.limit(columns)
				.map(String::strip)
				.collect(Collectors.joining("|")))
			.toList();
	}

	/** Keeps what is started. */
	private final class Starts implements ObservationHandler<Observation.Context> {

		@Override
		public void onStart(Observation.Context context) {
			ObservationsTests.this.started.add(context);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
