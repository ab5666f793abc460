package dev.sluice.actuate.endpoint;

import java.util.Map;

/** Numbers of open WebSocket sessions, by type. */
record SessionsDescriptor(int count, Map<String, Integer> types) {

	static SessionsDescriptor of(Map<String, Integer> types) {
		return new SessionsDescriptor(types.values().stream().mapToInt(Integer::intValue).sum(), types);
	}

}
