package dev.sluice.actuate.metrics;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import dev.sluice.bus.BusState;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ResumeOutcome;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the cluster of sessions, as this node observes it. No tag identifies a topic,
 * a session or a node. They are
 * <ul>
 * <li>the gauges {@code sluice.cluster.nodes}, {@code sluice.cluster.unavailable}, {@code
 * sluice.cluster.topics}, {@code sluice.cluster.members}, {@code sluice.cluster.waiting},
 * {@code sluice.cluster.oldest.wait}, {@code sluice.cluster.requests.open}, {@code
 * sluice.cluster.resumable}, {@code sluice.cluster.suspended} and {@code
 * sluice.cluster.resume.bytes};</li>
 * <li>the timer {@code sluice.cluster.lag}, of the time from a publication until this
 * node has received it itself; one publication is measured at a time;</li>
 * <li>the counters {@code sluice.cluster.frames}, tagged with the {@code direction}
 * {@code sent} or {@code received}, {@code sluice.cluster.failures}, {@code
 * sluice.cluster.unknown}, {@code sluice.cluster.heals}, {@code sluice.cluster.gaps}, and
 * {@code sluice.cluster.resumes}, tagged with the {@code outcome}, a
 * {@link ResumeOutcome}.</li>
 * </ul>
 * As a snapshot takes time in proportion to the topics, all meters share one for a
 * second.
 *
 * @since 0.1.0
 */
public final class ClusterMetrics implements MeterBinder {

	private final Supplier<ClusterSnapshot> cluster;

	/**
	 * Creates the metrics of a cluster.
	 * @param cluster supplies a snapshot of the cluster; kept as long as the registry
	 * exists
	 */
	public ClusterMetrics(Supplier<ClusterSnapshot> cluster) {
		this.cluster = cluster;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		CachedSnapshot<ClusterSnapshot> recent = new CachedSnapshot<>(this.cluster, registry.config().clock());
		gauge(registry, recent, "nodes", "Nodes that are known to live", "nodes", (cluster) -> cluster.nodes().size());
		gauge(registry, recent, "unavailable", "1 while this node receives nothing from the others, 0 otherwise", null,
				(cluster) -> (cluster.bus() != BusState.UP) ? 1 : 0);
		gauge(registry, recent, "topics", "Topics with members on this node", "topics", ClusterSnapshot::topics);
		gauge(registry, recent, "members", "Members of topics on this node", "sessions", ClusterSnapshot::members);
		gauge(registry, recent, "waiting", "Messages and requests of nodes that wait for their turn", "messages",
				ClusterSnapshot::waiting);
		gauge(registry, recent, "requests.open", "Requests and posts that wait for other nodes", "requests",
				ClusterSnapshot::openRequests);
		gauge(registry, recent, "resumable", "Sessions of this node that may be resumed", "sessions",
				(cluster) -> cluster.resume().resumable());
		gauge(registry, recent, "suspended", "Sessions of this node that may be resumed and have no connection",
				"sessions", (cluster) -> cluster.resume().suspended());
		gauge(registry, recent, "resume.bytes", "Size of the messages kept for clients that may resume", "bytes",
				(cluster) -> cluster.resume().bytes());
		TimeGauge
			.builder("sluice.cluster.oldest.wait", recent, TimeUnit.NANOSECONDS,
					(source) -> source.get().oldestWait().toNanos())
			.description("Time that the oldest of the waiting messages and requests has waited")
			.strongReference(true)
			.register(registry);
		FunctionTimer
			.builder("sluice.cluster.lag", recent, (source) -> source.get().traffic().timed(),
					(source) -> source.get().traffic().timedTotal().toNanos(), TimeUnit.NANOSECONDS)
			.description("Time until a publication arrives at this node itself; one publication is measured at a time")
			.register(registry);
		frames(registry, recent, "sent", (cluster) -> cluster.traffic().sent());
		frames(registry, recent, "received", (cluster) -> cluster.traffic().received());
		counter(registry, recent, "failures", "Calls of the bus that have failed", "calls",
				(cluster) -> cluster.traffic().failed());
		counter(registry, recent, "unknown", "Sessions of lost nodes for which the outcome of a send is unknown",
				"sessions", ClusterSnapshot::unknown);
		counter(registry, recent, "heals", "Times that missed messages of a topic were read from its history", "heals",
				ClusterSnapshot::heals);
		resumes(registry, recent);
		counter(registry, recent, "gaps", "Times that members of a topic were notified of lost messages", "gaps",
				ClusterSnapshot::gaps);
	}

	private static void gauge(MeterRegistry registry, CachedSnapshot<ClusterSnapshot> recent, String name,
			String description, @Nullable String unit, ToLongFunction<ClusterSnapshot> value) {
		Gauge.builder("sluice.cluster." + name, recent, (source) -> value.applyAsLong(source.get()))
			.description(description)
			.baseUnit(unit)
			.strongReference(true)
			.register(registry);
	}

	private static void frames(MeterRegistry registry, CachedSnapshot<ClusterSnapshot> recent, String direction,
			ToLongFunction<ClusterSnapshot> value) {
		FunctionCounter.builder("sluice.cluster.frames", recent, (source) -> value.applyAsLong(source.get()))
			.description("Messages between nodes")
			.baseUnit("frames")
			.tags(Tags.of("direction", direction))
			.register(registry);
	}

	private static void resumes(MeterRegistry registry, CachedSnapshot<ClusterSnapshot> recent) {
		for (ResumeOutcome outcome : ResumeOutcome.values()) {
			FunctionCounter.builder("sluice.cluster.resumes", recent, (source) -> source.get().resume().count(outcome))
				.description("Attempts of clients to resume a session")
				.baseUnit("resumes")
				.tags(Tags.of("outcome", outcome.name().toLowerCase(Locale.ROOT)))
				.register(registry);
		}
	}

	private static void counter(MeterRegistry registry, CachedSnapshot<ClusterSnapshot> recent, String name,
			String description, String unit, ToLongFunction<ClusterSnapshot> value) {
		FunctionCounter.builder("sluice.cluster." + name, recent, (source) -> value.applyAsLong(source.get()))
			.description(description)
			.baseUnit(unit)
			.register(registry);
	}

}
