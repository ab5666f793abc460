package dev.sluice.kotlin

import dev.sluice.annotation.Action
import dev.sluice.annotation.Mutex
import dev.sluice.annotation.Semaphore
import dev.sluice.annotation.Throttled
import dev.sluice.annotation.WhenThrottled
import dev.sluice.throttle.ThrottledException
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.future.await
import org.springframework.stereotype.Service

/** Limited functions of each kind. */
@Service
class Reports {

	val calls = Calls()

	var future = CompletableFuture<String>()

	@Semaphore("waiting", limit = 2)
	@WhenThrottled(action = Action.WAIT, maxWait = "30s")
	suspend fun waiting(name: String): String = this.calls.call { name }

	@Semaphore("rejecting", limit = 2)
	suspend fun rejecting(name: String): String = this.calls.call { name }

	@Semaphore("failing", limit = 1)
	suspend fun failing(): String = this.calls.call { throw IllegalStateException("no report") }

	@Semaphore("immediate", limit = 1)
	suspend fun immediate(name: String): String = name

	@Semaphore("nothing", limit = 1)
	suspend fun nothing() {
		this.calls.call { }
	}

	@Mutex("orders", key = "#order")
	@WhenThrottled(action = Action.WAIT, maxWait = "30s")
	suspend fun ship(order: String): String = this.calls.call { order }

	@Semaphore("dropped", limit = 1)
	@WhenThrottled(action = Action.DROP)
	suspend fun dropped(): List<String>? = this.calls.call { listOf("report") }

	@Semaphore("suspending", limit = 1)
	@WhenThrottled(fallback = "later")
	suspend fun suspending(name: String): String = this.calls.call { name }

	suspend fun later(name: String, rejection: ThrottledException): String {
		CompletableFuture.completedFuture(name).await()
		return "$name later, ${rejection.resource()}"
	}

	@Semaphore("plain", limit = 1)
	@WhenThrottled(fallback = "now")
	suspend fun plain(name: String): String = this.calls.call { name }

	fun now(name: String): String = "$name now"

	@Throttled("rates", limit = 1, period = "1h")
	suspend fun rated(): String = "rated"

	@Semaphore("lines", limit = 1)
	fun lines(): Flow<String> = flow {
		emit("first")
		emit(calls.call { "last" })
	}

	@Semaphore("waitingLines", limit = 1)
	@WhenThrottled(action = Action.WAIT, maxWait = "30s")
	fun waitingLines(): Flow<String> = flow { emit(calls.call { "line" }) }

	@Semaphore("suspendingLines", limit = 1)
	suspend fun suspendingLines(): Flow<String> = flow { emit(calls.call { "line" }) }

	@Semaphore("otherLines", limit = 1)
	@WhenThrottled(fallback = "noLines")
	fun otherLines(): Flow<String> = flow { emit(calls.call { "line" }) }

	fun noLines(): Flow<String> = flowOf("none")

	@Semaphore("futures", limit = 1)
	fun future(): CompletableFuture<String> = this.future

}
