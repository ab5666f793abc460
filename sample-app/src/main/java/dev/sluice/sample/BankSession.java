package dev.sluice.sample;

import java.util.concurrent.CompletableFuture;

import dev.sluice.annotation.Throttled;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;

/**
 * A customer's session, with an account of its own. A page that comes back, to whichever
 * node, gets it back.
 */
@WebSocketEndpoint(path = "/bank", resumable = true)
class BankSession extends ManagedSession {

	/*
	 * A session's messages are handled one at a time and in order, and each handling
	 * reads the writes of the previous ones, on any thread. So the account needs no lock.
	 */
	private Account account = new Account();

	/** Sends the balance, because the receipt of the latest command may be lost. */
	@Override
	protected void onResume(Resumption resumption) {
		Long saved = resumption.state(Long.class);
		if (saved != null) {
			this.account = new Account(saved);
		}
		post(new Reply.Receipt(this.account.balance()));
	}

	/** Ends when the balance is saved. */
	@OnMessage
	@Throttled(value = "commands", key = "#session.id")
	CompletableFuture<Reply> handle(Command command) {
		Work.take(1, 4);
		if (command instanceof Command.Deposit deposit) {
			this.account.deposit(deposit.amount());
		}
		else if (!this.account.withdraw(command.amount())) {
			return CompletableFuture.completedFuture(new Reply.Error("insufficient-funds", this.account.balance()));
		}
		Reply receipt = new Reply.Receipt(this.account.balance());
		return saveState(this.account.balance()).thenApply((nothing) -> receipt);
	}

}
