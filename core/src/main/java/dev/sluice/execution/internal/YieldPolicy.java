package dev.sluice.execution.internal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Policy that decides when a worker leaves its queue for another: it has run as many
 * tasks of the queue in a row as it may, and another queue waits for a worker.
 */
public final class YieldPolicy {

	/*
	 * The number is written before the version is incremented, and the version is read
	 * before the number. Thus a version is never newer than the number that is read with
	 * it, and a change in between is found by its version. Attacked by FairnessTests.
	 */

	private volatile int maxTasks;

	private final AtomicLong version = new AtomicLong(1);

	/**
	 * Creates the policy.
	 * @param maxTasks tasks of a queue that a worker runs in a row while others wait
	 */
	public YieldPolicy(int maxTasks) {
		this.maxTasks = maxTasks;
	}

	public int maxTasks() {
		return this.maxTasks;
	}

	public void setMaxTasks(int maxTasks) {
		this.maxTasks = maxTasks;
		this.version.incrementAndGet();
	}

	/** Returns the version of the number, which is 1 until it is changed. */
	public long version() {
		return this.version.get();
	}

	/**
	 * Decides whether a worker that has run one more task yields its queue. Where no
	 * other queue waits, the queue begins another share.
	 */
	public boolean yieldsAfterTask(WorkerRun worker) {
		if (worker.countTask() < this.maxTasks) {
			return false;
		}
		worker.startQueue();
		return !worker.ready.isEmpty();
	}

}
