package dev.sluice.sample;

import dev.sluice.annotation.Throttled;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;

/** A customer's connection, with an account of its own. */
@WebSocketEndpoint(path = "/bank")
class BankSession extends ManagedSession {

	/*
	 * A session's messages come one at a time and in order, and each sees what those
	 * before it wrote, whichever threads they ran on. So the account needs no lock.
	 */
	private final Account account = new Account();

	@OnMessage
	@Throttled(value = "commands", key = "#session.id")
	Reply handle(Command command) {
		Work.take(1, 4);
		if (command instanceof Command.Deposit deposit) {
			this.account.deposit(deposit.amount());
		}
		else if (!this.account.withdraw(command.amount())) {
			return new Reply.Error("insufficient-funds", this.account.balance());
		}
		return new Reply.Receipt(this.account.balance());
	}

}
