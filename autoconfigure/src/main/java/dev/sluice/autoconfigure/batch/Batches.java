package dev.sluice.autoconfigure.batch;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import dev.sluice.batch.BatchConsumer;
import dev.sluice.lifecycle.DrainedLifecycle;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;

/**
 * Batches of the application. They start before the web server, and are drained after all
 * that may push has stopped: sessions, the web server, listeners to messages, and the
 * pools of {@code @Async} and {@code @Scheduled} methods. Beans are destroyed later, so
 * that listeners can still use them, for example connections to a database.
 */
final class Batches extends DrainedLifecycle implements DisposableBean {

	/** Below the phase of Spring's thread pools, and above the phase of connections. */
	static final int PHASE = Integer.MAX_VALUE / 2 - 1024;

	private final Map<String, NamedBatch> batches = new LinkedHashMap<>();

	private final BeanFactory beans;

	private final BatchStopTimes stopTimes;

	/**
	 * Creates the batches.
	 * @param beans has the listener beans
	 * @param stopTimes the time limits for stopping
	 */
	Batches(BeanFactory beans, BatchStopTimes stopTimes) {
		super(PHASE);
		this.beans = beans;
		this.stopTimes = stopTimes;
	}

	void add(String name, NamedBatch batch) {
		this.batches.put(name, batch);
	}

	BatchConsumer<Object> consumer(String name) {
		return Objects.requireNonNull(this.batches.get(name), name).consumer();
	}

	@Override
	protected void begin() {
		this.batches.values().forEach((batch) -> batch.start(this.beans));
	}

	@Override
	protected CompletableFuture<?> drain() {
		return CompletableFuture.allOf(this.batches.values()
			.stream()
			.map((batch) -> batch.finish(this.stopTimes))
			.toArray(CompletableFuture[]::new));
	}

	@Override
	public void destroy() {
		this.batches.values().forEach(NamedBatch::close);
	}

}
