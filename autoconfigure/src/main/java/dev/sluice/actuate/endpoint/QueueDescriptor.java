package dev.sluice.actuate.endpoint;

import java.util.Locale;

import dev.sluice.actuate.Seconds;
import dev.sluice.execution.QueueSnapshot;

/** Description of one queue. */
record QueueDescriptor(String id, String state, Waiting waiting, double oldestWait) {

	static QueueDescriptor of(QueueSnapshot queue, NameVisibility names) {
		return new QueueDescriptor(names.of(queue.id()), queue.state().name().toLowerCase(Locale.ROOT),
				new Waiting(queue.high(), queue.normal()), Seconds.of(queue.oldestWait()));
	}

	/** Numbers of waiting tasks, by level. */
	record Waiting(long high, long normal) {

	}

}
