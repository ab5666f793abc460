package dev.sluice.autoconfigure.batch;

import java.time.Duration;

/**
 * Times that batches have when the application stops. The rest of the shutdown phase is
 * spare: at its end, Spring continues with the next phase.
 *
 * @param drain the time to pass waiting items to listeners
 * @param cancel the time after it that cancelled listeners have to end
 */
record BatchStopTimes(Duration drain, Duration cancel) {

	/** Returns two thirds of a shutdown phase to drain, and a fifth of it to cancel. */
	static BatchStopTimes of(Duration phase) {
		return new BatchStopTimes(phase.multipliedBy(2).dividedBy(3), phase.dividedBy(5));
	}

}
