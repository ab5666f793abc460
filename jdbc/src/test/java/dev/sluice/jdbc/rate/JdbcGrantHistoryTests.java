package dev.sluice.jdbc.rate;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.sluice.jdbc.PostgresServer;
import dev.sluice.test.trial.GrantHistory;
import dev.sluice.test.trial.GrantHistory.Grant;
import dev.sluice.test.trial.RateTrial;
import dev.sluice.throttle.Limit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes whose clocks differ by hours, with callers of one key of a rate: no window has
 * more than the bound.
 */
class JdbcGrantHistoryTests {

	private static final int NODES = 3;

	static Stream<Limit> rates() {
		return RateTrial.RATES.stream();
	}

	@ParameterizedTest
	@MethodSource("rates")
	void noWindowHasMoreThanItsBound(Limit limit) throws Exception {
		GrantHistory history = callAll(limit, Duration.ofMillis(500));

		assertThat(history.excess(limit)).isLessThanOrEqualTo(0);
		assertThat(history.size()).isGreaterThanOrEqualTo(limit.limit());
	}

	@Test
	void plantedOverAdmissionIsFound() throws Exception {
		Limit stated = Limit.slidingLog(100, Duration.ofSeconds(60));
		Limit planted = Limit.slidingLog(101, Duration.ofSeconds(60));

		assertThat(callAll(planted, Duration.ofMillis(500)).excess(stated)).isOne();
	}

	private static GrantHistory callAll(Limit limit, Duration time) throws Exception {
		String schema = PostgresServer.newSchema();
		ExecutorService executor = Executors.newFixedThreadPool(NODES);
		List<RateCallers> nodes = new ArrayList<>();
		AtomicInteger granted = new AtomicInteger();
		try {
			for (int i = 0; i < NODES; i++) {
				nodes.add(new RateCallers(PostgresServer.url(), schema, limit, i - 1));
			}
			List<Future<Queue<Grant>>> running = nodes.stream()
				.map((node) -> executor.submit(() -> node.trial().call(time, granted, limit.limit())))
				.toList();
			List<Grant> grants = new ArrayList<>();
			for (Future<Queue<Grant>> node : running) {
				grants.addAll(node.get(120, TimeUnit.SECONDS));
			}
			return new GrantHistory(grants);
		}
		finally {
			executor.shutdownNow();
			nodes.forEach(RateCallers::close);
		}
	}

	@ParameterizedTest
	@MethodSource("rates")
	@Tag("full")
	@Timeout(180)
	void noWindowHasMoreThanItsBoundIfNodesAreProcesses(Limit limit) throws Exception {
		String schema = PostgresServer.newSchema();
		List<Process> nodes = new ArrayList<>();
		try {
			for (int i = 0; i < NODES; i++) {
				nodes.add(
						start(PostgresServer.url(), schema, "" + RateTrial.RATES.indexOf(limit), "4000", "" + (i - 1)));
			}
			List<BufferedReader> outputs = nodes.stream().map(Process::inputReader).toList();
			for (BufferedReader output : outputs) {
				assertThat(output.readLine()).isEqualTo("ready");
			}
			for (Process node : nodes) {
				node.getOutputStream().write('\n');
				node.getOutputStream().flush();
			}
			List<Grant> grants = new ArrayList<>();
			for (BufferedReader output : outputs) {
				output.lines()
					.map((line) -> line.split(" "))
					.forEach((times) -> grants.add(new Grant(Long.parseLong(times[0]), Long.parseLong(times[1]))));
			}
			GrantHistory history = new GrantHistory(grants);
			assertThat(history.excess(limit)).isLessThanOrEqualTo(0);
			assertThat(history.size()).isGreaterThanOrEqualTo(4 * limit.limit());
		}
		finally {
			nodes.forEach(Process::destroyForcibly);
		}
	}

	private static Process start(String... arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-Xmx256m", "-cp", System.getProperty("java.class.path"), RateCallers.class.getName()));
		command.addAll(List.of(arguments));
		return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
	}

}
