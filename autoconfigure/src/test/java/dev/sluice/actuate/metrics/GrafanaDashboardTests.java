package dev.sluice.actuate.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.sluice.autoconfigure.fixture.ClusterSnapshots;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.bus.BusState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.StoreSnapshot;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/grafana.json} shows every meter that there is, as Prometheus names it. */
class GrafanaDashboardTests {

	@Test
	void showsEveryMeterAndNoOther() throws IOException {
		JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(Path.of("..", "docs", "grafana.json")));
		Set<String> shown = dashboard.path("panels")
			.findValues("expr")
			.stream()
			.flatMap((expression) -> Pattern.compile("sluice_\\w+").matcher(expression.asString()).results())
			.map(MatchResult::group)
			.collect(Collectors.toSet());
		new WebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(TaskExecutionAutoConfiguration.class, SluiceWebSocketAutoConfiguration.class,
							SluiceThrottlingAutoConfiguration.class, SluiceMetricsAutoConfiguration.class))
			.withBean(PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
			.run((context) -> {
				PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
				context.getBeansOfType(MeterBinder.class).values().forEach((binder) -> binder.bindTo(registry));
				context.getBean(ThrottlingManager.class).addOrUpdate("order", Limit.mutex()).tryAcquire();
				new BatchMetrics(registry, "journal").monitor(BatchConsumer.<String>builder().build()::snapshot);
				new StoreMetrics("Redis",
						() -> new StoreSnapshot(false, 1, List.of(), 0, Duration.ZERO, 0, Map.of(), Map.of()))
					.bindTo(registry);
				new ClusterMetrics(() -> ClusterSnapshots.of(BusState.UP)).bindTo(registry);
				assertThat(scraped(registry)).containsAll(shown);
				assertThat(named(registry))
					.allSatisfy((name) -> assertThat(shown).anyMatch((used) -> used.startsWith(name)));
			});
	}

	private static Set<String> scraped(PrometheusMeterRegistry registry) {
		return registry.scrape()
			.lines()
			.filter((line) -> line.startsWith("sluice_"))
			.map((line) -> line.replaceAll("[{ ].*", ""))
			.collect(Collectors.toSet());
	}

	private static Set<String> named(MeterRegistry registry) {
		return registry.getMeters()
			.stream()
			.map(Meter::getId)
			.filter((id) -> id.getName().startsWith("sluice."))
			.map((id) -> id.getConventionName(registry.config().namingConvention()))
			.collect(Collectors.toSet());
	}

}
