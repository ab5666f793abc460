package com.example.beans;

import java.util.concurrent.CompletableFuture;

import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Component;

/** Does work that can wait. */
@Component
class Background {

	/** Returns the beginning of the name of the thread that runs asynchronous methods. */
	@Async
	public CompletableFuture<String> thread() {
		return CompletableFuture.completedFuture(Thread.currentThread().getName().replaceAll("[0-9]+$", ""));
	}

}
