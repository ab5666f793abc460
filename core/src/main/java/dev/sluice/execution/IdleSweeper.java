package dev.sluice.execution;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/** Removal of queues that nobody has used for a while, a few with each submission. */
final class IdleSweeper {

	/*
	 * Each submission moves a shared walk over the queues on by two, so n submissions see
	 * n / 2 queues and none pays for all. One thread at a time moves it; others skip. A
	 * queue is removed by sealing it from idle in one CAS, so a submission that comes
	 * meanwhile keeps it alive or forms the next generation.
	 */

	private static final int STEPS = 2;

	private final QueueRegistry queues;

	private final long idleNanos;

	private final AtomicBoolean walking = new AtomicBoolean();

	/** Used by the thread that set "walking". */
	private @Nullable Iterator<SequentialQueue> walk;

	IdleSweeper(QueueRegistry queues, long idleNanos) {
		this.queues = queues;
		this.idleNanos = idleNanos;
	}

	void used(SequentialQueue queue, long now) {
		queue.usedAt(now);
		if (this.walking.compareAndSet(false, true)) {
			try {
				for (int i = 0; i < STEPS; i++) {
					step(now);
				}
			}
			finally {
				this.walking.set(false);
			}
		}
	}

	private void step(long now) {
		Iterator<SequentialQueue> current = this.walk;
		if (current == null || !current.hasNext()) {
			current = this.queues.all().iterator();
			this.walk = current;
		}
		if (current.hasNext()) {
			current.next().sealIfIdleSince(this.idleNanos, now);
		}
	}

}
