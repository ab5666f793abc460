package com.example.existing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.stereotype.Component;

/** The observed state of closed sessions, by a name that the client chose. */
@Component
class Closed {

	private final Map<String, String> seen = new ConcurrentHashMap<>();

	void put(String name, String what) {
		this.seen.put(name, what);
	}

	String get(String name) {
		return this.seen.getOrDefault(name, "");
	}

}
