package com.example.dispatch;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.websocket.SentMessage;
import dev.sluice.websocket.SentMessage.Outcome;
import dev.sluice.websocket.SentMessageJournal;

import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Counts the messages sent, for the authorities. */
@Component
class Protocol implements SentMessageJournal {

	private final AtomicInteger sent = new AtomicInteger();

	@Override
	public void write(List<SentMessage> messages) {
		this.sent.addAndGet((int) messages.stream().filter((message) -> message.outcome() == Outcome.SENT).count());
	}

	/** Shows the count. */
	@RestController
	static class Page {

		private final Protocol protocol;

		Page(Protocol protocol) {
			this.protocol = protocol;
		}

		@GetMapping("/protocol")
		int sent() {
			return this.protocol.sent.get();
		}

	}

}
