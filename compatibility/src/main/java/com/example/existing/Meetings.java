package com.example.existing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Makes one message wait for another, by a name that both use. */
final class Meetings {

	private final Map<String, CountDownLatch> meetings = new ConcurrentHashMap<>();

	/** Waits for the other message for a second. */
	String await(String name) throws InterruptedException {
		return meeting(name).await(1, TimeUnit.SECONDS) ? "it came" : "it did not come";
	}

	void come(String name) {
		meeting(name).countDown();
	}

	private CountDownLatch meeting(String name) {
		return this.meetings.computeIfAbsent(name, (key) -> new CountDownLatch(1));
	}

}
