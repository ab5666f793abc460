package dev.sluice.guide;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;

import org.springframework.stereotype.Service;

/** The limited methods of {@code docs/annotations.md}. */
@Service
class Reports {

	private final List<String> sent = new ArrayList<>();

	@Throttled("quotes")
	int quote() {
		return 42;
	}

	@Throttled(value = "newsletter", key = "#tenantId", permits = "#addresses.size()")
	void send(String tenantId, List<String> addresses) {
		this.sent.add(tenantId);
	}

	@Semaphore(value = "reports", limit = 3)
	CompletableFuture<String> report() {
		return CompletableFuture.supplyAsync(() -> "done");
	}

	@Mutex(value = "order", key = "#orderId")
	@WhenThrottled(action = Action.WAIT, maxWait = "5s")
	void ship(String orderId) {
		this.sent.add(orderId);
	}

}
