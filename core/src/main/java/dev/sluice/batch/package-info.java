/**
 * Batches: many producers push items to slots, and batches of one slot each come out, to
 * a pump that ends them.
 * <p>
 * Promises of {@link dev.sluice.batch.BatchConsumer}, and the tests that fail when it is
 * broken:
 * <ol>
 * <li>A full batch goes out at once, never larger than its size, of one slot only, its
 * items first in, first out: BatchTests, FanOutTests, BatchConsumerLincheckTests.</li>
 * <li>No lost signal, no stranded item: LostSignalTests, BatchConsumerLincheckTests,
 * PushAgainstTurn, PushAgainstStart, PushAgainstComplete (jcstress), BatchSoakTests.</li>
 * <li>What no batch fills goes out after an interval, by a timer that stands only while
 * something waits: IntervalTests.</li>
 * <li>Up to so many batches of a slot in flight, started in order; a slot that stands
 * still holds up no other: FanOutTests.</li>
 * <li>A pump that throws loses nothing; retries and the error handler: FailureTests,
 * RetryAgainstDiscard (jcstress).</li>
 * <li>Bounded slots with a choice at the bound: OverflowTests, PushAgainstDrop
 * (jcstress).</li>
 * <li>Completing drains or discards, ends every future, and the consumer can start again:
 * LifecycleTests, EndAgainstComplete (jcstress).</li>
 * <li>Discarding cancels the batches that are with the pump, each callback once:
 * CancellationTests.</li>
 * </ol>
 */
@NullMarked
package dev.sluice.batch;

import org.jspecify.annotations.NullMarked;
