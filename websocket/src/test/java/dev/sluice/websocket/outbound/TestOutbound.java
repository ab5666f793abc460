package dev.sluice.websocket.outbound;

import java.util.concurrent.Executor;

import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.container.HandlingReaders;
import dev.sluice.websocket.journal.SentMessageRecorder;
import dev.sluice.websocket.message.TotalBuffers;
import org.jspecify.annotations.Nullable;

/** Resources for sessions that send, of one executor and without bounds in sum. */
public final class TestOutbound {

	private TestOutbound() {
	}

	public static OutboundResources resources(Executor workers, NanoClock clock) {
		return resources(workers, clock, SendOverflow.TERMINATE, null);
	}

	public static OutboundResources resources(Executor workers, NanoClock clock, SendOverflow overflow,
			@Nullable SentMessageRecorder recorder) {
		return new OutboundResources(workers, workers, clock, overflow, TotalBuffers.unbounded(),
				new SendWaits(BlockingWaits.unbounded()), new HandlingReaders(() -> 1), MessageObserver.NONE,
				new CutOffLog(clock), recorder);
	}

}
