package dev.sluice.cluster.internal;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.cluster.Delivery;

/** Outcomes in the form for applications. */
final class Deliveries {

	private Deliveries() {
	}

	/** Adds up the answers of all nodes. */
	static Delivery of(OpenRequest.Outcome outcome) {
		int sent = 0;
		int unknown = outcome.unknown();
		Map<String, Integer> failures = new LinkedHashMap<>();
		for (Answer answer : outcome.answers()) {
			sent += answer.sent();
			unknown += answer.unknown();
			answer.failures().forEach((reason, count) -> failures.merge(reason, count, Integer::sum));
		}
		int failed = failures.values().stream().mapToInt(Integer::intValue).sum();
		return new Delivery(sent, failed, unknown, outcome.silent().keySet(), failures);
	}

	/**
	 * Adds up the answers to a request for one session, which must be open on one node.
	 */
	static Delivery ofOne(OpenRequest.Outcome outcome) {
		Delivery delivery = of(outcome);
		return (delivery.sent() + delivery.failed() + delivery.unknown() > 0) ? delivery
				: new Delivery(0, 1, 0, delivery.silentNodes(), Map.of(Delivery.NO_SUCH_SESSION, 1));
	}

}
