package dev.sluice.actuate.endpoint;

import java.util.List;

import dev.sluice.actuate.Seconds;
import dev.sluice.execution.ExecutorSnapshot;
import dev.sluice.execution.SequentialLeveledTaskExecutor;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Description of the queues of one executor together, with the deepest of them. */
record ExecutorDescriptor(int maxTasksBeforeYield, long version, int count, int running, int paused, int held,
		QueueDescriptor.Waiting waiting, double oldestWait, long completed, long failed, long rejected, long dropped,
		long expired, long cancelled, long listenerFailures,
		List<QueueDescriptor> deepest) implements OperationResponseBody {

	static ExecutorDescriptor of(SequentialLeveledTaskExecutor running, int top, NameVisibility names) {
		ExecutorSnapshot executor = running.snapshot(top);
		long version = running.settingsVersion();
		return new ExecutorDescriptor(running.maxTasksBeforeYield(), version, executor.queues(), executor.running(),
				executor.paused(), executor.held(),
				new QueueDescriptor.Waiting(executor.waitingHigh(), executor.waitingNormal()),
				Seconds.of(executor.oldestWait()), executor.completed(), executor.failed(), executor.rejected(),
				executor.dropped(), executor.expired(), executor.cancelled(), executor.listenerFailures(),
				executor.deepest().stream().map((queue) -> QueueDescriptor.of(queue, names)).toList());
	}

}
