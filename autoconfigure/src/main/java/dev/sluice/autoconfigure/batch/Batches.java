package dev.sluice.autoconfigure.batch;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import dev.sluice.batch.BatchConsumer;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * Batches of the application. They start before the web server, and are drained after all
 * that may push has stopped: sessions, the web server, listeners to messages, and the
 * pools of {@code @Async} and {@code @Scheduled} methods. Beans are destroyed later, so
 * what listeners use is still there, such as connections to a database.
 */
final class Batches implements SmartLifecycle, DisposableBean {

	/** Below the pools of threads of Spring, and above what is connected to. */
	static final int PHASE = Integer.MAX_VALUE / 2 - 1024;

	private final Map<String, NamedBatch> batches = new LinkedHashMap<>();

	private final BeanFactory beans;

	private final Duration stopTimeout;

	private volatile boolean running;

	/**
	 * Creates the batches.
	 * @param beans has those that listen
	 * @param stopTimeout the time that stopping may take
	 */
	Batches(BeanFactory beans, Duration stopTimeout) {
		this.beans = beans;
		this.stopTimeout = stopTimeout;
	}

	void add(String name, NamedBatch batch) {
		this.batches.put(name, batch);
	}

	BatchConsumer<Object> consumer(String name) {
		return Objects.requireNonNull(this.batches.get(name), name).consumer();
	}

	@Override
	public void start() {
		this.batches.values().forEach((batch) -> batch.start(this.beans));
		this.running = true;
	}

	/** Waits until the batches are drained or the time is over. */
	@Override
	public void stop() {
		finish().join();
	}

	@Override
	public void stop(Runnable callback) {
		finish().thenRun(callback);
	}

	/** Leaves a quarter of the time to listeners that are cancelled. */
	private CompletableFuture<Void> finish() {
		Duration cancelTimeout = this.stopTimeout.dividedBy(4);
		Duration drainTimeout = this.stopTimeout.minus(cancelTimeout);
		return CompletableFuture
			.allOf(this.batches.values()
				.stream()
				.map((batch) -> batch.finish(drainTimeout, cancelTimeout))
				.toArray(CompletableFuture[]::new))
			.thenRun(() -> this.running = false);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** A pause leaves the web server alone, and so those who push. */
	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public void destroy() {
		this.batches.values().forEach(NamedBatch::close);
	}

}
