package dev.sluice.jdbc.fault;

import java.time.Duration;
import java.util.function.Consumer;

import dev.sluice.test.trial.FaultyProxy;

/** Fault of the network on the way to a server. */
enum NetworkFault {

	REFUSED(true, FaultyProxy::refuse, FaultyProxy::repair),

	CLOSED(true, FaultyProxy::cut, FaultyProxy::repair),

	RESET(false, FaultyProxy::reset, (network) -> {
	}),

	BLACK_HOLE(true, FaultyProxy::swallow, (network) -> {
		network.repair();
		network.hangUp();
	}),

	SLOW(true, (network) -> network.delay(Duration.ofMillis(1200)), FaultyProxy::repair),

	/** Each answer takes 100 ms, which is no reason to stop asking. */
	FAR(false, (network) -> network.distance(Duration.ofMillis(50)), FaultyProxy::repair);

	/** Whether the server counts as unavailable until the end of the fault. */
	final boolean lasts;

	final Consumer<FaultyProxy> begin;

	final Consumer<FaultyProxy> end;

	NetworkFault(boolean lasts, Consumer<FaultyProxy> begin, Consumer<FaultyProxy> end) {
		this.lasts = lasts;
		this.begin = begin;
		this.end = end;
	}

}
