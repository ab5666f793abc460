package dev.sluice.benchmarks.suites;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.BarSuite;
import dev.sluice.benchmarks.SavedSuite;
import dev.sluice.benchmarks.annotations.AnnotationBars;
import dev.sluice.benchmarks.batches.BatchBars;
import dev.sluice.benchmarks.cluster.ClusterBars;
import dev.sluice.benchmarks.cluster.ResumeBars;
import dev.sluice.benchmarks.execution.ExecutionBars;
import dev.sluice.benchmarks.jdbc.JdbcBars;
import dev.sluice.benchmarks.limits.LimitBars;
import dev.sluice.benchmarks.limits.LimitScale;
import dev.sluice.benchmarks.redis.RedisBars;
import dev.sluice.benchmarks.websocket.Extras;
import dev.sluice.benchmarks.websocket.SessionScale;
import dev.sluice.benchmarks.websocket.WebSocketBars;

/**
 * Measures suites of bars and prints one line a bar; exits with 0 if all of them hold,
 * with 1 if one falls short, with 2 if it is called wrongly. The name before a hyphen
 * stands for all suites that begin with it. The results are also saved in the directory
 * given by the system property {@code results}.
 */
public final class Bars {

	private static final Map<String, Supplier<BarSuite>> SUITES = new TreeMap<>(Map.ofEntries(
			Map.entry("annotations", AnnotationBars::new), Map.entry("batches", BatchBars::new),
			Map.entry("cluster-bytes", () -> ClusterBars::bytes),
			Map.entry("cluster-fanout", () -> ClusterBars::fanOut), Map.entry("cluster-idle", () -> ClusterBars::idle),
			Map.entry("cluster-publish", () -> ClusterBars::publish),
			Map.entry("cluster-resume-killed", () -> ResumeBars::killed),
			Map.entry("cluster-resume-quiet", () -> ResumeBars::quiet),
			Map.entry("cluster-resume-replaced", () -> ResumeBars::replaced),
			Map.entry("cluster-send", () -> ClusterBars::send), Map.entry("execution", ExecutionBars::new),
			Map.entry("limits", LimitBars::new), Map.entry("jdbc-1", () -> JdbcBars.alone()),
			Map.entry("jdbc-32", () -> JdbcBars.together()), Map.entry("jdbc-line", () -> JdbcBars.line()),
			Map.entry("redis-1", () -> RedisBars.immediate(1)), Map.entry("redis-32", () -> RedisBars.immediate(32)),
			Map.entry("redis-256", () -> RedisBars.immediate(256)), Map.entry("redis-batches", RedisBars::batches),
			Map.entry("redis-bytes", RedisBars::bytes), Map.entry("scale-growth-bytes", () -> Bars::bytesByNumber),
			Map.entry("scale-growth-times", () -> Bars::timesByNumber), Map.entry("scale-keys", () -> LimitScale::keys),
			Map.entry("scale-line", () -> LimitScale::line), Map.entry("scale-sessions", () -> SessionScale::sessions),
			Map.entry("websocket-by-hand", () -> WebSocketBars::byHand),
			Map.entry("websocket-extras", () -> Extras::measure),
			Map.entry("websocket-idle", () -> WebSocketBars::idle),
			Map.entry("websocket-latency", () -> WebSocketBars::latency),
			Map.entry("websocket-stalled", () -> WebSocketBars::stalled),
			Map.entry("websocket-throughput", () -> WebSocketBars::throughput),
			Map.entry("websocket-virtual", () -> WebSocketBars::virtual)));

	private Bars() {
	}

	/**
	 * Runs the suites named.
	 * @param names the names
	 */
	public static void main(String[] names) {
		if (names.length == 0 || !Stream.of(names).allMatch(Bars::isKnown)) {
			System.err.println("Name one or more of " + SUITES.keySet());
			System.exit(2);
		}
		BarReport report = new BarReport(System.out);
		String results = System.getProperty("results");
		SUITES.forEach((title, suite) -> {
			if (Stream.of(names).anyMatch((name) -> names(name, title))) {
				report.title(title);
				suite.get().measure(report);
				if (results != null) {
					SavedSuite.ofThisJvm(title, report.bars()).save(Path.of(results));
				}
			}
		});
		System.exit(report.allHold() ? 0 : 1);
	}

	/** How the memory of sessions, queues, keys and waiters grows with their number. */
	private static void bytesByNumber(BarReport report) {
		SessionScale.bytesByNumber(report);
		ExecutionBars.bytesByNumber(report);
		LimitScale.bytesByNumber(report);
	}

	/** How the time of tasks, permits and hand-overs grows with the number of others. */
	private static void timesByNumber(BarReport report) {
		ExecutionBars.timesByNumber(report);
		LimitScale.timesByNumber(report);
	}

	private static boolean isKnown(String name) {
		return SUITES.keySet().stream().anyMatch((suite) -> names(name, suite));
	}

	private static boolean names(String name, String suite) {
		return suite.equals(name) || suite.startsWith(name + "-");
	}

}
