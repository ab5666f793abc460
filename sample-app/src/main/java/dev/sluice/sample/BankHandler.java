package dev.sluice.sample;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.annotation.Throttled;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;

/** Serves customers: each connection is one, and has an account of its own. */
@Component
class BankHandler extends AbstractWebSocketHandler {

	private final JsonMapper json;

	BankHandler(JsonMapper json) {
		this.json = json;
	}

	/*
	 * A session's callbacks come one at a time and in order, and each sees what those
	 * before it wrote, whichever threads they ran on. So the account needs no lock.
	 */
	@Override
	@Throttled(value = "commands", key = "#session.id")
	public void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
		Account account = (Account) session.getAttributes().computeIfAbsent("account", (name) -> new Account());
		consultLedger();
		send(session, answer(message.getPayload(), account));
	}

	@Override
	public void handleBinaryMessage(WebSocketSession session, BinaryMessage message) throws IOException {
		send(session, Reply.refusal("unreadable", "A command is a text message, not a binary one"));
	}

	private Reply answer(String text, Account account) {
		try {
			return execute(Command.parse(this.json.readTree(text)), account);
		}
		catch (JacksonException ex) {
			return Reply.refusal("unreadable", "Not JSON: " + ex.getOriginalMessage());
		}
		catch (Command.InvalidException ex) {
			return ex.reply();
		}
	}

	private static Reply execute(Command command, Account account) {
		int amount = command.amount();
		return switch (command.type()) {
			case DEPOSIT -> Reply.receipt(account.deposit(amount));
			case WITHDRAW -> account.withdraw(amount) ? Reply.receipt(account.balance())
					: Reply.insufficientFunds(account.balance());
		};
	}

	private void send(WebSocketSession session, Reply reply) throws IOException {
		session.sendMessage(new TextMessage(this.json.writeValueAsString(reply)));
	}

	/** Blocks for a random few milliseconds, as a real ledger would. */
	private static void consultLedger() {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ThreadLocalRandom.current().nextLong(1, 5)));
	}

}
