package dev.sluice.actuate.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottleListener;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.ThrottlingManager;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of the limits of one {@link ThrottlingManager}, tagged with the {@code
 * resource}. No tag identifies a key or an owner. As the manager's listener it fills
 * <ul>
 * <li>the counter {@code sluice.throttle.calls}, tagged with the {@code outcome} {@code
 * admitted} or the reason of the rejection: {@code limit}, {@code line}, {@code key-cap}
 * or {@code store};</li>
 * <li>the timer {@code sluice.throttle.wait}, of calls that stood in line, tagged with
 * the {@code outcome} {@code admitted} or {@code rejected};</li>
 * <li>the timer {@code sluice.throttle.held}, of how long permits of mutexes and
 * semaphores were held.</li>
 * </ul>
 * {@link #monitor} fills the counter {@code sluice.throttle.listener.failures}, which has
 * no tag, and the gauges {@code sluice.throttle.waiting} (calls), {@code
 * sluice.throttle.keys} and {@code sluice.throttle.permits.held}, read whenever meters
 * are. As a snapshot takes time in proportion to the keys, the gauges of a limit share
 * one for a second. A limit that is defined later has its meters from its first call on;
 * the gauges of one that is removed have no value.
 *
 * @since 0.1.0
 */
public final class ThrottleMetrics implements ThrottleListener {

	private final MeterRegistry registry;

	private final Map<String, ThrottleMeters> resources = new ConcurrentHashMap<>();

	private volatile @Nullable ThrottlingManager manager;

	/**
	 * Creates the metrics.
	 * @param registry has the meters
	 */
	public ThrottleMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	/**
	 * Reads the gauges of a manager from now on, and adds the meters of its limits.
	 * @param manager the manager of the limits; kept as long as the registry exists
	 */
	public void monitor(ThrottlingManager manager) {
		this.manager = manager;
		FunctionCounter.builder("sluice.throttle.listener.failures", manager, ThrottlingManager::listenerFailures)
			.description("Exceptions that listeners of the limits have thrown")
			.baseUnit("failures")
			.register(this.registry);
		manager.throttles().stream().map(Throttle::resource).forEach(this::meters);
	}

	@Override
	public void admitted(String resource, String key, int permits, long waitNanos) {
		meters(resource).admitted(waitNanos);
	}

	@Override
	public void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
		meters(resource).rejected(reason, waitNanos);
	}

	@Override
	public void released(String resource, String key, int permits, long heldNanos) {
		meters(resource).released(heldNanos);
	}

	private ThrottleMeters meters(String resource) {
		ThrottleMeters meters = this.resources.get(resource);
		return (meters != null) ? meters : this.resources.computeIfAbsent(resource,
				(absent) -> new ThrottleMeters(this.registry, absent, () -> snapshot(absent)));
	}

	private @Nullable ThrottleSnapshot snapshot(String resource) {
		ThrottlingManager monitored = this.manager;
		return (monitored != null) ? monitored.find(resource).map((throttle) -> throttle.snapshot(0)).orElse(null)
				: null;
	}

}
