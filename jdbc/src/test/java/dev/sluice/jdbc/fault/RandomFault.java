package dev.sluice.jdbc.fault;

import java.util.ArrayList;
import java.util.List;

import dev.sluice.test.trial.FaultyProxy;

/**
 * Fault of a server or of the network on the way to it.
 *
 * @param name its name
 * @param begin begins it
 * @param end ends it
 */
record RandomFault(String name, Step begin, Step end) {

	private static final Step NONE = () -> {
	};

	/** Returns all faults of a site and of the network to it. */
	static List<RandomFault> all(JdbcFaultSite site, FaultyProxy network) {
		List<RandomFault> all = new ArrayList<>();
		for (JdbcFault fault : site.faults()) {
			all.add(new RandomFault(fault.name(), () -> fault.begin(site), () -> fault.end(site)));
		}
		for (NetworkFault fault : NetworkFault.values()) {
			all.add(new RandomFault(fault.name(), () -> fault.begin.accept(network), () -> fault.end.accept(network)));
		}
		all.add(new RandomFault("TERMINATED", site::terminate, NONE));
		all.add(new RandomFault("CRASHED", site::crash, NONE));
		return all;
	}

	/** Begin or end of a fault. */
	interface Step {

		void run() throws Exception;

	}

}
