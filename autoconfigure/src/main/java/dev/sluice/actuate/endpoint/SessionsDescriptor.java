package dev.sluice.actuate.endpoint;

import java.util.Map;

/** How many WebSocket sessions are open, and of which types. */
record SessionsDescriptor(int count, Map<String, Integer> types) {

	static SessionsDescriptor of(Map<String, Integer> types) {
		return new SessionsDescriptor(types.values().stream().mapToInt(Integer::intValue).sum(), types);
	}

}
