package dev.sluice.autoconfigure.throttle;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottleSnapshot;

/**
 * Records where limits were defined while the application started.
 *
 * @since 0.1.0
 */
public final class ThrottleSourceRegistry {

	private final Map<String, Definition> definitions = new ConcurrentHashMap<>();

	public void remember(Throttle throttle, ThrottleSource source) {
		this.definitions.put(throttle.resource(), new Definition(source, throttle.snapshot(0).version()));
	}

	/**
	 * Returns the source of the current numbers of a limit.
	 * @param throttle the current snapshot of the limit
	 * @return where it was defined, or {@link ThrottleSource#RUNTIME} if it was defined
	 * or changed after the start
	 */
	public ThrottleSource of(ThrottleSnapshot throttle) {
		Definition definition = this.definitions.get(throttle.resource());
		return (definition != null && definition.version() == throttle.version()) ? definition.source()
				: ThrottleSource.RUNTIME;
	}

	/**
	 * Returns the source of a limit that was defined while the application started, even
	 * if the limit was changed or removed since.
	 * @param resource its name
	 * @return the source, or empty for a limit that was defined after the start
	 */
	public Optional<ThrottleSource> atStart(String resource) {
		return Optional.ofNullable(this.definitions.get(resource)).map(Definition::source);
	}

	/** Source and version of a limit's definition. */
	private record Definition(ThrottleSource source, long version) {

	}

}
