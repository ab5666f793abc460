package dev.sluice.guide;

import dev.sluice.annotation.Throttled;

import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.stereotype.Controller;

/** The controller of {@code docs/stomp.md}. */
@Controller
class Quotes {

	@MessageMapping("/quote")
	@Throttled(value = "quotes", key = "#session.id")
	@SendToUser("/queue/quotes")
	String quote(String symbol) {
		return symbol + " 42";
	}

}
