package dev.sluice.actuate.endpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.actuate.metrics.BatchMetrics;
import dev.sluice.actuate.metrics.ClusterMetrics;
import dev.sluice.actuate.metrics.SluiceMetricsAutoConfiguration;
import dev.sluice.actuate.metrics.StoreMetrics;
import dev.sluice.autoconfigure.fixture.ClusterSnapshots;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.throttle.ThrottleSourceRegistry;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.bus.BusState;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.StoreSnapshot;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** The page {@code docs/operations.md} says what is so, and all of it. */
class OperationsPageTests {

	private final String page = read(Path.of("..", "docs", "operations.md"));

	@Test
	void namesEveryMeterWithItsTypeTagsAndUnitAndNoOther() {
		new WebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(TaskExecutionAutoConfiguration.class, SluiceWebSocketAutoConfiguration.class,
							SluiceThrottlingAutoConfiguration.class, SluiceMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				context.getBeansOfType(MeterBinder.class).values().forEach((binder) -> binder.bindTo(registry));
				ThrottlingManager limits = context.getBean(ThrottlingManager.class);
				limits.addOrUpdate("commands", Limit.mutex()).tryAcquire();
				new BatchMetrics(registry, "journal").monitor(BatchConsumer.<String>builder().build()::snapshot);
				new StoreMetrics("Redis",
						() -> new StoreSnapshot(false, 1, List.of(), 0, Duration.ZERO, 0, Map.of(), Map.of()))
					.bindTo(registry);
				new ClusterMetrics(() -> ClusterSnapshots.of(BusState.UP)).bindTo(registry);
				assertThat(rows("meters")).containsExactlyElementsOf(registry.getMeters()
					.stream()
					.map(Meter::getId)
					.filter((id) -> id.getName().startsWith("sluice."))
					.map(OperationsPageTests::row)
					.distinct()
					.sorted()
					.toList());
			});
	}

	private static String row(Meter.Id id) {
		String tags = id.getTags()
			.stream()
			.map(Tag::getKey)
			.sorted()
			.map("`%s`"::formatted)
			.collect(Collectors.joining(", "));
		String type = switch (id.getType()) {
			case DISTRIBUTION_SUMMARY -> "summary";
			default -> id.getType().name().toLowerCase(Locale.ROOT);
		};
		return "`%s`|%s|%s|%s".formatted(id.getName(), type, tags, Objects.requireNonNullElse(id.getBaseUnit(), ""));
	}

	/** The rows of a table, without their last column, which is prose. */
	private List<String> rows(String table) {
		return this.page.substring(this.page.indexOf("<!-- " + table + " -->"))
			.lines()
			.skip(3)
			.takeWhile((line) -> line.startsWith("|"))
			.map((line) -> Stream.of(line.substring(1).split("\\|"))
				.limit(4)
				.map(String::strip)
				.collect(Collectors.joining("|")))
			.toList();
	}

	@Test
	void namesEveryFieldOfTheAnswerAndNoOther() {
		List<String> documented = Pattern
			.compile("^\\| `((?:queues|sessions|throttles|batches|cluster)\\.(?!\\*`)[^`]+|listenerFailures)`",
					Pattern.MULTILINE)
			.matcher(this.page)
			.results()
			.map((match) -> match.group(1))
			.toList();
		assertThat(documented).containsExactlyInAnyOrderElementsOf(fields("", ThrottlingDescriptor.class).toList());
	}

	private static Stream<String> fields(String path, Type type) {
		if (type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
			return fields(path + "[]", generic.getActualTypeArguments()[0]);
		}
		if (type instanceof ParameterizedType generic && generic.getRawType() == Map.class) {
			return fields(path + ".*", generic.getActualTypeArguments()[1]);
		}
		if (type instanceof Class<?> record && record.isRecord()) {
			return Stream.of(record.getRecordComponents())
				.flatMap((component) -> fields(child(path, component), component.getGenericType()));
		}
		return Stream.of(path);
	}

	private static String child(String path, RecordComponent component) {
		return path.isEmpty() ? component.getName() : path + '.' + component.getName();
	}

	@Test
	void showsWhatTheEndpointAnswers() {
		AtomicLong now = new AtomicLong(Duration.ofDays(20_000).toNanos());
		ThrottlingManager limits = ThrottlingManager.builder().clock(now::get).build();
		limits.addOrUpdate("order", Limit.mutex());
		limits.tryAcquire(AcquireRequest.of("order", "o-1").owner("batch-1"));
		limits.addOrUpdate("commands", Limit.slidingLog(10, Duration.ofSeconds(1)));
		SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();
		IntStream.range(0, 12)
			.forEach((i) -> inbound.execute("session-1", Level.NORMAL,
					() -> limits.get("commands").tryAcquire("session-1")));
		now.addAndGet(Duration.ofMillis(304).toNanos());
		BatchConsumer<Integer> invoices = BatchConsumer.<Integer>builder()
			.pushInterval(Duration.ofDays(1))
			.executor(Runnable::run)
			.build();
		invoices.start((items, slot) -> CompletableFuture.completedFuture(null));
		IntStream.range(0, 120).forEach((number) -> invoices.push(number, 0));
		ThrottlingEndpoint endpoint = new ThrottlingEndpoint(Map.of("inbound", inbound), Map.of("invoices", invoices),
				null, null, limits, new ThrottleSourceRegistry(), new ThrottlingChanges(Map.of("inbound", inbound),
						null, limits, new ThrottleSourceRegistry(), (event) -> {
						}),
				Show.NEVER, 10);
		assertThat(JsonMapper.shared().writeValueAsString(endpoint.throttling()))
			.isEqualTo(block("answer").replaceAll("\\s", ""));
	}

	private String block(String name) {
		String block = this.page.substring(this.page.indexOf("<!-- " + name + " -->"));
		int start = block.indexOf("```json\n") + "```json\n".length();
		return block.substring(start, block.indexOf("```\n", start));
	}

	private static String read(Path path) {
		try {
			return Files.readString(path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
