package dev.sluice.actuate.metrics;

import java.time.Duration;
import java.util.Map;

import dev.sluice.throttle.FailurePolicy;

/** What meters show of a store at one instant. */
record StoreState(boolean unavailable, int nodes, long answered, Duration answerTime, long failed,
		Map<FailurePolicy, Long> admitted, Map<FailurePolicy, Long> rejected) {

}
