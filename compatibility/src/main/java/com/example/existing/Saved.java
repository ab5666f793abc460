package com.example.existing;

import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.stereotype.Component;

/** Stands for data that a handler writes into a database after it has answered. */
@Component
class Saved {

	private final AtomicInteger count = new AtomicInteger();

	void save() {
		this.count.incrementAndGet();
	}

	int count() {
		return this.count.get();
	}

}
