package dev.sluice.aop.spi;

import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Watches calls that stand in line for permits, for traces.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LineObserver {

	/** Watches nothing, at no cost. */
	LineObserver NONE = (resources) -> null;

	/**
	 * Told that a call stands in line; on the thread that calls.
	 * @param resources names of the limits that it asks
	 * @return told once, on any thread, when the call leaves the line and before it goes
	 * on: of {@code null} if it was let in, or why not; {@code null} to be told nothing
	 */
	@Nullable Consumer<@Nullable Throwable> waiting(List<String> resources);

}
