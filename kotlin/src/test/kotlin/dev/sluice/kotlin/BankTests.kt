package dev.sluice.kotlin

import dev.sluice.test.socket.SocketClient
import dev.sluice.throttle.ThrottlingManager
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment
import org.springframework.boot.test.web.server.LocalServerPort

/** Suspend functions of typed sessions. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class BankTests(@param:Autowired val bank: BankCalls, @param:Autowired val manager: ThrottlingManager) {

	@LocalServerPort
	private var port = 0

	@BeforeEach
	fun reset() {
		this.bank.calls.reset()
	}

	@Test
	fun resultOfASuspendFunctionIsSent() {
		SocketClient(this.port, "/bank").use { client ->
			client.send("""{"type":"ping"}""")
			assertThat(client.next()).contains("\"answer\":\"pong\"")
		}
	}

	@Test
	fun mutexIsHeldUntilTheFunctionHasEnded() {
		val accounts = this.manager.find("accounts").orElseThrow()
		SocketClient(this.port, "/bank").use { first ->
			SocketClient(this.port, "/bank").use { second ->
				first.send("""{"type":"deposit","account":"mine","amount":1}""")
				await().until { this.bank.calls.running() == 1 }
				second.send("""{"type":"deposit","account":"mine","amount":2}""")
				await().until { accounts.state("mine").waiting() == 1 }
				assertThat(this.bank.calls.begun()).isEqualTo(1)
				this.bank.calls.gate.complete(Unit)
				assertThat(first.next()).contains("\"amount\":1")
				assertThat(second.next()).contains("\"amount\":2")
				assertThat(this.bank.calls.most()).isEqualTo(1)
			}
		}
	}

	@Test
	fun messagesOfASessionAreHandledOneByOne() {
		SocketClient(this.port, "/bank").use { client ->
			(1..3).forEach { client.send("""{"type":"deposit","account":"$it","amount":$it}""") }
			client.send("""{"type":"ping"}""")
			await().until { this.bank.calls.running() == 1 }
			this.bank.calls.gate.complete(Unit)
			assertThat(client.next(4)).satisfiesExactly({ assertThat(it).contains("\"amount\":1") },
				{ assertThat(it).contains("\"amount\":2") }, { assertThat(it).contains("\"amount\":3") },
				{ assertThat(it).contains("pong") })
			assertThat(this.bank.calls.most()).isEqualTo(1)
		}
	}

	@Test
	fun failureIsAnswered() {
		SocketClient(this.port, "/bank").use { client ->
			client.send("""{"type":"withdrawal","amount":7}""")
			assertThat(client.next()).contains("failed")
		}
	}

}
