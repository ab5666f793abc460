package dev.sluice.execution;

import java.time.Duration;
import java.util.List;

/**
 * State of an executor's queues, counted one after another while tasks go on, so that the
 * numbers need not add up to one instant.
 *
 * @param queues how many queues exist, idle ones included
 * @param running how many of them a worker ran
 * @param paused how many were paused
 * @param held how many waited for a stage
 * @param waitingHigh how many {@link Level#HIGH} tasks waited
 * @param waitingNormal how many {@link Level#NORMAL} tasks waited
 * @param oldestWait how long the oldest of all had waited; see
 * {@link QueueSnapshot#oldestWait()}
 * @param workerWait how long queues that are ready had waited for a thread of the pool,
 * all of whose threads are busy; zero as soon as one takes a queue
 * @param completed tasks that returned, since the start
 * @param failed tasks that threw, since the start
 * @param rejected tasks that were rejected, since the start
 * @param dropped tasks that the overflow strategy dropped, since the start
 * @param expired tasks whose time to live passed, since the start
 * @param cancelled tasks that were cancelled before they started, since the start
 * @param listenerFailures how often the listener threw, since the start
 * @param deepest the queues with the most waiting tasks, deepest first; idle ones are
 * left out
 * @since 0.1.0
 */
public record ExecutorSnapshot(int queues, int running, int paused, int held, long waitingHigh, long waitingNormal,
		Duration oldestWait, Duration workerWait, long completed, long failed, long rejected, long dropped,
		long expired, long cancelled, long listenerFailures, List<QueueSnapshot> deepest) {

	/**
	 * Copies the list.
	 */
	public ExecutorSnapshot {
		deepest = List.copyOf(deepest);
	}

}
