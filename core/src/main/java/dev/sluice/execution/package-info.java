/**
 * Keyed, ordered, two-level execution: the tasks of one queue run one after another, high
 * before normal, while different queues run in parallel on any
 * {@link java.util.concurrent.Executor}.
 * <p>
 * Promises of {@link dev.sluice.execution.SequentialLeveledTaskExecutor}, and the tests
 * that fail when it is broken:
 * <ol>
 * <li>First in, first out within a level; HIGH before every waiting NORMAL; never two
 * tasks of one queue at once, removal and a new submission included: OrderTests,
 * RemovalTests, SequentialQueueLincheckTests, RemoveAgainstSubmit (jcstress).</li>
 * <li>No lost wake-up, no stranded task: SequentialQueueLincheckTests,
 * WorkersLincheckTests, WakeUp, RemoveAgainstRun, StageAgainstRun, StageAgainstPause
 * (jcstress), ExecutionSoakTests.</li>
 * <li>Fair: a worker leaves a busy queue if another waits: FairnessTests. The bound on
 * HIGH in a row: OrderTests.</li>
 * <li>Every task ends exactly once, and a throwing task does not affect others:
 * LeveledTaskTests, StageTests, ExecutionSoakTests.</li>
 * <li>Cancelling takes a waiting task out at once and leaves a running one alone; times
 * to live: LeveledTaskTests, CancelAgainstRun (jcstress), TimingTests.</li>
 * <li>Bounded queues, overflow with typed exceptions, atomic rejection by the pool:
 * OverflowTests, WorkersTests.</li>
 * <li>Idle costs nothing: WorkersTests, MemoryTests.</li>
 * <li>Shutting down drains, and a queue can still be removed afterwards: CloseTests,
 * RemovalTests.</li>
 * </ol>
 */
@NullMarked
package dev.sluice.execution;

import org.jspecify.annotations.NullMarked;
