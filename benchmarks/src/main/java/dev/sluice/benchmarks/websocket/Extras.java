package dev.sluice.benchmarks.websocket;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.sluice.benchmarks.BarReport;
import dev.sluice.benchmarks.Rounds;

/** Extras that observe messages, and their cost: a server each, in rotation. */
public enum Extras {

	/** Nothing of ours at all. */
	PLAIN("plain Spring", Contender.PLAIN),

	/** No extras. */
	NONE("none", Contender.SLUICE, Extras.NO_METERS),

	/** The meters, as with every meter registry. */
	METERS("meters", Contender.SLUICE),

	/** Observations, of which a tenth are traced, which is Boot's default. */
	TENTH_TRACED("observations, a tenth traced", Contender.SLUICE, Extras.NO_METERS, "--tracer=0.1"),

	/** Observations that are all traced. */
	ALL_TRACED("observations, all traced", Contender.SLUICE, Extras.NO_METERS, "--tracer=1"),

	/** A journal that does nothing with its records. */
	JOURNAL("journal", Contender.SLUICE, Extras.NO_METERS, "--journal=true"),

	/** All of these. */
	EVERYTHING("all of these", Contender.SLUICE, "--tracer=1", "--journal=true");

	private static final String NO_METERS = "--spring.autoconfigure.exclude=dev.sluice.actuate.metrics.SluiceMetricsAutoConfiguration";

	private static final int CLIENTS = 100;

	private static final long WARM_UP_MILLIS = Long.getLong("warmup", 10_000);

	private static final long ROUND_MILLIS = 1_500;

	private final String title;

	private final Contender contender;

	private final String[] arguments;

	Extras(String title, Contender contender, String... arguments) {
		this.title = title;
		this.contender = contender;
		this.arguments = arguments;
	}

	/**
	 * Measures the processor time that the server takes for a message, and how many are
	 * answered a second.
	 * @param report takes both
	 */
	public static void measure(BarReport report) {
		Rounds micros = new Rounds();
		Rounds perSecond = new Rounds();
		for (int fork = 0; fork < WebSocketBars.FORKS; fork++) {
			List<Echo> echoes = new ArrayList<>();
			try {
				for (Extras extras : values()) {
					echoes.add(extras.start());
				}
				echoes.forEach((echo) -> Circulation.throughput(echo.clients, WARM_UP_MILLIS));
				for (int round = 0; round < WebSocketBars.ROUNDS_PER_FORK; round++) {
					echoes.forEach((echo) -> echo.measure(micros, perSecond));
					Collections.rotate(echoes, 1);
				}
			}
			finally {
				echoes.forEach(Echo::close);
			}
		}
		for (Extras extras : values()) {
			if (extras != NONE) {
				report.compared("processor time of an echo, " + extras.title, micros, extras.title, NONE.title, "us");
				report.shown("echo, 100 clients, " + extras.title, median(perSecond, extras),
						median(perSecond, NONE) + ' ' + NONE.title);
			}
		}
	}

	private static String median(Rounds perSecond, Extras extras) {
		return BarReport.value(perSecond.of(extras.title).median(), "/s");
	}

	private Echo start() {
		ServerProcess server = new ServerProcess(this.contender, this.arguments);
		return new Echo(this.title, server, new Clients(server.port(), Load.ECHO, CLIENTS));
	}

	/** A server and its clients. */
	private record Echo(String title, ServerProcess server, Clients clients) implements AutoCloseable {

		void measure(Rounds micros, Rounds perSecond) {
			Circulation circulation = new Circulation(this.clients, 1);
			circulation.start();
			Duration before = this.server.processorTime();
			long start = System.nanoTime();
			double answers = circulation.answersPerSecond(ROUND_MILLIS);
			double seconds = (System.nanoTime() - start) / 1e9;
			Duration used = this.server.processorTime().minus(before);
			circulation.end();
			micros.add(this.title, used.toNanos() / 1e3 / (answers * seconds));
			perSecond.add(this.title, answers);
		}

		@Override
		public void close() {
			this.clients.close();
			this.server.close();
		}

	}

}
