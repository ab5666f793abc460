package dev.sluice.throttle.internal.failover;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.throttle.FailurePolicy;

/** Number of calls that this node has decided without the server, by policy. */
public final class FailoverCounters {

	private final Map<FailurePolicy, LongAdder> admitted = adders();

	private final Map<FailurePolicy, LongAdder> rejected = adders();

	private static Map<FailurePolicy, LongAdder> adders() {
		Map<FailurePolicy, LongAdder> adders = new EnumMap<>(FailurePolicy.class);
		for (FailurePolicy policy : FailurePolicy.values()) {
			adders.put(policy, new LongAdder());
		}
		return adders;
	}

	void count(FailurePolicy policy, boolean admitted) {
		LongAdder adder = (admitted ? this.admitted : this.rejected).get(policy);
		if (adder != null) {
			adder.increment();
		}
	}

	public Map<FailurePolicy, Long> admitted() {
		return sums(this.admitted);
	}

	public Map<FailurePolicy, Long> rejected() {
		return sums(this.rejected);
	}

	private static Map<FailurePolicy, Long> sums(Map<FailurePolicy, LongAdder> adders) {
		Map<FailurePolicy, Long> sums = new EnumMap<>(FailurePolicy.class);
		adders.forEach((policy, adder) -> sums.put(policy, adder.sum()));
		return sums;
	}

}
