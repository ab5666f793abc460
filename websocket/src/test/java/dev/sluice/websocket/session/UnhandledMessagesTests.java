package dev.sluice.websocket.session;

import java.util.concurrent.CompletableFuture;

import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.inbound.InboundPressure;
import dev.sluice.websocket.inbound.WaitingMessage;
import dev.sluice.websocket.message.TotalBuffers;
import dev.sluice.websocket.settings.InboundLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnhandledMessagesTests {

	private final InboundPressure pressure = new InboundPressure(new InboundLimits(4, 1, 100, false), false,
			TotalBuffers.unbounded(), null, () -> {
			});

	private final UnhandledMessages unhandled = new UnhandledMessages("a", this.pressure);

	@Test
	void theirNumberIsReported(CapturedOutput output) {
		this.unhandled.add();
		this.unhandled.report(CloseStatus.GOING_AWAY);
		assertThat(output).contains("Session 'a' was ended by the server with 1 of its messages not handled: "
				+ "CloseStatus[code=1001, reason=null]");
	}

	@Test
	void thoseThatAreDiscardedAreReportedOnce(CapturedOutput output) {
		WaitingMessage message = new WaitingMessage(10);
		this.pressure.add(message);
		this.pressure.handedOver(message, new CompletableFuture<>());
		this.unhandled.add();
		this.unhandled.discarding();
		this.unhandled.discard(new SessionClosedException("a"), "Cut off", ": too many");
		this.unhandled.report(CloseStatus.GOING_AWAY);
		assertThat(output).contains("Cut off session 'a' with 1 of its messages not handled: too many")
			.doesNotContain("was ended by the server");
	}

}
