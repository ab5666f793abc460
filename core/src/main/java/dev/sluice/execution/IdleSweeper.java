package dev.sluice.execution;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/** Removes queues that were idle for some time, a few with each submission. */
final class IdleSweeper {

	/*
	 * Each submission advances a shared iterator over the queues by two, so n submissions
	 * visit n / 2 queues and no submission visits all. One thread at a time advances it;
	 * others skip. A queue is removed by sealing it from idle in one CAS, so a concurrent
	 * submission keeps it alive or forms the next generation. Attacked by TimingTests and
	 * RemoveAgainstSubmit (jcstress).
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
