package dev.sluice.benchmarks.figures;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.benchmarks.Bar;
import dev.sluice.benchmarks.SavedSuite;

/** Figures, with the suites and the names of the bars that measure them. */
enum Figure {

	/** Messages of many clients. */
	ECHO("Echoes a second, more is better", Plot.BARS, "(?<group>echo.*), platform threads", "websocket-throughput",
			"websocket-idle"),

	/** Memory of connections. */
	IDLE("Bytes of an idle connection, less is better", Plot.BARS, "(?<group>idle connection.*)", "websocket-idle"),

	/** Time of a call that is admitted. */
	LIMITS("Nanoseconds of an admitted call, less is better", Plot.BARS,
			"(?<ours>Sluice .*), admitted, (?<group>1 thread|2 threads)", "limits"),

	/** Permits from Redis. */
	REDIS("Thousand permits a second from Redis, more is better", Plot.BARS, "permits, (?<group>\\d+ callers?)",
			"redis-1", "redis-32", "redis-256"),

	/** Costs among more and more. */
	GROWTH("What one costs among more and more", Plot.LINES,
			"(?<group>.*), (?<x>[\\d,]+) (?:sessions|queues|keys|waiting)", "scale-growth-bytes", "scale-growth-times"),

	/** As many as can be. */
	SCALE("", Plot.NONE, ".*", "scale-sessions", "scale-keys", "scale-line"),

	/** The extras that observe messages. */
	EXTRAS("", Plot.NONE, ".*", "websocket-extras");

	final String title;

	final Plot plot;

	private final Pattern bars;

	private final List<String> suites;

	Figure(String title, Plot plot, String bars, String... suites) {
		this.title = title;
		this.plot = plot;
		this.bars = Pattern.compile(bars);
		this.suites = List.of(suites);
	}

	String id() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** The suites with only the bars that are shown. */
	List<SavedSuite> of(List<SavedSuite> all) {
		return this.suites.stream()
			.flatMap((suite) -> all.stream().filter((saved) -> saved.suite().equals(suite)))
			.map((saved) -> new SavedSuite(saved.suite(), saved.jdk(), saved.processors(), saved.commit(),
					saved.bars().stream().filter(this::shows).toList()))
			.filter((saved) -> !saved.bars().isEmpty())
			.toList();
	}

	/** Plots show amounts; a limit that allocates nothing is no bar among nanoseconds. */
	private boolean shows(Bar bar) {
		return this.bars.matcher(bar.name()).matches()
				&& (this.plot == Plot.NONE || (Amount.of(bar.ours()).isPresent() && !bar.ours().endsWith(" B/op")));
	}

	/** A part of the name of a bar that is shown. */
	String part(String group, Bar bar) {
		Matcher matcher = this.bars.matcher(bar.name());
		if (!matcher.matches()) {
			throw new IllegalArgumentException("'" + bar.name() + "' is not of " + this);
		}
		return matcher.group(group);
	}

	/** The title of Sluice's value. */
	String ours(Bar bar) {
		return this.bars.pattern().contains("?<ours>") ? part("ours", bar) : "Sluice";
	}

	/** How a figure is drawn. */
	enum Plot {

		/** Bars for the values of contenders. */
		BARS,

		/** How much one has, by how many there are. */
		LINES,

		/** Not at all: there is a table only. */
		NONE

	}

}
