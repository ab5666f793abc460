package dev.sluice.actuate;

import java.util.List;

import dev.sluice.execution.ExecutorSnapshot;

/** What the queues of one executor hold together, and the deepest of them. */
record ExecutorDescriptor(int count, int running, int paused, int held, QueueDescriptor.Waiting waiting,
		double oldestWait, long completed, long failed, long rejected, long dropped, long expired, long cancelled,
		long listenerFailures, List<QueueDescriptor> deepest) {

	static ExecutorDescriptor of(ExecutorSnapshot executor, Names names) {
		return new ExecutorDescriptor(executor.queues(), executor.running(), executor.paused(), executor.held(),
				new QueueDescriptor.Waiting(executor.waitingHigh(), executor.waitingNormal()),
				Seconds.of(executor.oldestWait()), executor.completed(), executor.failed(), executor.rejected(),
				executor.dropped(), executor.expired(), executor.cancelled(), executor.listenerFailures(),
				executor.deepest().stream().map((queue) -> QueueDescriptor.of(queue, names)).toList());
	}

}
