package dev.sluice.actuate.metrics;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.ThrottleSnapshot;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/** The meters of one limit, over all its keys. */
class ThrottleMeters {

	private final Counter[] calls = new Counter[Decision.Reason.values().length];

	private final Timer admittedWait;

	private final Timer rejectedWait;

	private final Timer held;

	ThrottleMeters(MeterRegistry registry, String resource, Supplier<@Nullable ThrottleSnapshot> snapshot) {
		Tags tags = Tags.of("resource", resource);
		for (Decision.Reason reason : Decision.Reason.values()) {
			this.calls[reason.ordinal()] = Counter.builder("sluice.throttle.calls")
				.description("Calls that a limit admitted, or rejected for a reason")
				.baseUnit("calls")
				.tags(tags.and("outcome", reason.name().toLowerCase(Locale.ROOT).replace('_', '-')))
				.register(registry);
		}
		this.admittedWait = wait(registry, tags.and("outcome", "admitted"));
		this.rejectedWait = wait(registry, tags.and("outcome", "rejected"));
		this.held = Timer.builder("sluice.throttle.held")
			.description("Time that permits were held")
			.tags(tags)
			.register(registry);
		SnapshotMeters<@Nullable ThrottleSnapshot> meters = new SnapshotMeters<>(registry, tags,
				new CachedSnapshot<>(snapshot, registry.config().clock()));
		meters.gauge("sluice.throttle.waiting", "Calls in line", "calls", orNaN(ThrottleSnapshot::waiting));
		meters.gauge("sluice.throttle.keys", "Keys remembered", "keys", orNaN(ThrottleSnapshot::keys));
		meters.gauge("sluice.throttle.permits.held", "Permits held", "permits", orNaN(ThrottleSnapshot::held));
	}

	/** A limit that has been removed has no values. */
	private static ToDoubleFunction<@Nullable ThrottleSnapshot> orNaN(ToDoubleFunction<ThrottleSnapshot> value) {
		return (snapshot) -> (snapshot != null) ? value.applyAsDouble(snapshot) : Double.NaN;
	}

	private static Timer wait(MeterRegistry registry, Tags tags) {
		return Timer.builder("sluice.throttle.wait")
			.description("Time in line, of calls that stood in it")
			.tags(tags)
			.register(registry);
	}

	void admitted(long waitNanos) {
		this.calls[Decision.Reason.ADMITTED.ordinal()].increment();
		if (waitNanos > 0) {
			this.admittedWait.record(waitNanos, TimeUnit.NANOSECONDS);
		}
	}

	void rejected(Decision.Reason reason, long waitNanos) {
		this.calls[reason.ordinal()].increment();
		if (waitNanos > 0) {
			this.rejectedWait.record(waitNanos, TimeUnit.NANOSECONDS);
		}
	}

	void released(long heldNanos) {
		this.held.record(heldNanos, TimeUnit.NANOSECONDS);
	}

}
