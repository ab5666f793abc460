package dev.sluice.benchmarks.execution;

import java.util.concurrent.atomic.AtomicInteger;

import org.openjdk.jmh.infra.Blackhole;

/** The task of one id: counts its runs and, if configured, burns some time. */
final class CountingTask implements Task {

	/** What {@link Blackhole#consumeCPU} takes for about a microsecond. */
	static final long MICROSECOND = 500;

	private final AtomicInteger runs = new AtomicInteger();

	private final long work;

	CountingTask(long work) {
		this.work = work;
	}

	@Override
	public void run() {
		if (this.work > 0) {
			Blackhole.consumeCPU(this.work);
		}
		this.runs.incrementAndGet();
	}

	int runs() {
		return this.runs.get();
	}

}
