package dev.sluice.aop.spi;

import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Callback for calls that wait in line for permits, for example to record traces.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LineObserver {

	/** Observes nothing, at no cost. */
	LineObserver NONE = (resources) -> null;

	/**
	 * Called when a call starts to wait in line, on the thread of the caller.
	 * @param resources names of the limits that it requests permits of
	 * @return callback that is called once, on any thread, when the call leaves the line
	 * and before it proceeds: with {@code null} if it was admitted, with the failure
	 * otherwise; {@code null} for no callback
	 */
	@Nullable Consumer<@Nullable Throwable> waiting(List<String> resources);

}
