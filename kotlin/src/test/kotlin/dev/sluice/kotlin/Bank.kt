package dev.sluice.kotlin

import dev.sluice.annotation.Action
import dev.sluice.annotation.Mutex
import dev.sluice.annotation.WhenThrottled
import dev.sluice.websocket.ManagedSession
import dev.sluice.websocket.OnMessage
import dev.sluice.websocket.WebSocketEndpoint
import org.springframework.stereotype.Component

/** The calls inside methods of sessions. */
@Component
class BankCalls {

	val calls = Calls()

}

/** A typed session whose methods suspend. */
@WebSocketEndpoint(path = ["/bank"])
class Bank(private val bank: BankCalls) : ManagedSession() {

	@OnMessage
	@Mutex("accounts", key = "#deposit.account")
	@WhenThrottled(action = Action.WAIT, maxWait = "30s")
	suspend fun handle(deposit: Deposit): Receipt = this.bank.calls.call { Receipt(deposit.account, deposit.amount) }

	@OnMessage("ping")
	suspend fun ping(): Pong {
		kotlinx.coroutines.yield()
		return Pong("pong")
	}

	@OnMessage
	suspend fun fail(withdrawal: Withdrawal) {
		throw IllegalArgumentException("Nobody has ${withdrawal.amount}")
	}

}

data class Deposit(val account: String, val amount: Long)

data class Withdrawal(val amount: Long)

data class Receipt(val account: String, val amount: Long)

data class Pong(val answer: String)
