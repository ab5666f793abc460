package dev.sluice.guide;

import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.guide.WebSocketGuideTests.Deposit;
import dev.sluice.guide.WebSocketGuideTests.Ledger;
import dev.sluice.guide.WebSocketGuideTests.Receipt;
import dev.sluice.guide.WebSocketGuideTests.Warning;
import dev.sluice.guide.WebSocketGuideTests.Welcome;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;

import org.springframework.web.socket.CloseStatus;

/** The session of {@code docs/websocket.md}. */
@WebSocketEndpoint(path = "/bank/{branch}")
class BankSession extends ManagedSession {

	private final Ledger ledger;

	BankSession(Ledger ledger) {
		this.ledger = ledger;
	}

	@Override
	protected void onOpen() {
		post(new Welcome(pathVariables().get("branch")));
	}

	@OnMessage
	Receipt handle(Deposit deposit) {
		return this.ledger.deposit(deposit.amount());
	}

	@OnMessage(value = "alarm", level = Level.HIGH)
	void alarm() {
		close(CloseStatus.POLICY_VIOLATION);
	}

	CompletableFuture<Void> warn(String text) {
		return send(new Warning(text));
	}

}
