package dev.sluice.kotlin

import dev.sluice.throttle.ThrottledException
import dev.sluice.throttle.ThrottlingManager
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment

/** Calls hold their permits until the coroutine has ended. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class SuspendFunctionTests(@param:Autowired val reports: Reports, @param:Autowired val manager: ThrottlingManager) {

	@BeforeEach
	fun reset() {
		this.reports.calls.reset()
	}

	@Test
	fun semaphoreLetsTwoOfSixRunAtOnce() = test {
		val results = (1..6).map { async { reports.waiting("$it") } }
		await().until { reports.calls.running() == 2 && waiting("waiting") == 4 }
		reports.calls.gate.complete(Unit)
		assertThat(results.awaitAll()).containsExactly("1", "2", "3", "4", "5", "6")
		assertThat(reports.calls.most()).isEqualTo(2)
		assertFree("waiting")
	}

	@Test
	fun mutexLetsOneOfThreeRunAtOnce() = test {
		val results = (1..3).map { async { reports.ship("book") } }
		await().until { reports.calls.running() == 1 && waiting("orders", "book") == 2 }
		reports.calls.gate.complete(Unit)
		assertThat(results.awaitAll()).containsExactly("book", "book", "book")
		assertThat(reports.calls.most()).isEqualTo(1)
		assertFree("orders", "book")
	}

	@Test
	fun mutexOfAnotherKeyIsFree() = test {
		val results = listOf("book", "pen").map { async { reports.ship(it) } }
		await().until { reports.calls.running() == 2 }
		reports.calls.gate.complete(Unit)
		assertThat(results.awaitAll()).containsExactly("book", "pen")
	}

	@Test
	fun waitingBlocksNoThread() = test {
		val thread = Executors.newSingleThreadExecutor()
		thread.asCoroutineDispatcher().use { dispatcher ->
			val results = (1..4).map { async(dispatcher) { reports.waiting("$it") } }
			await().until { waiting("waiting") == 2 }
			assertThat(CompletableFuture.supplyAsync({ "free" }, thread).get()).isEqualTo("free")
			reports.calls.gate.complete(Unit)
			assertThat(results.awaitAll()).hasSize(4)
		}
	}

	@Test
	fun callGoesOnInItsDispatcherAfterAWait() = test(EmptyCoroutineContext) {
		val caller = Thread.currentThread()
		val holders = (1..2).map { async(Dispatchers.Default) { reports.waiting("$it") } }
		await().until { reports.calls.running() == 2 }
		val result = async {
			reports.waiting("3")
			Thread.currentThread()
		}
		launch {
			await().until { waiting("waiting") == 1 }
			reports.calls.gate.complete(Unit)
		}
		holders.awaitAll()
		assertThat(result.await()).isSameAs(caller)
	}

	@Test
	fun callIsRejectedWhileOthersHold() = test {
		val holders = (1..2).map { async { reports.rejecting("$it") } }
		await().until { reports.calls.running() == 2 }
		assertThat(failure { reports.rejecting("3") }).isInstanceOf(ThrottledException::class.java)
			.hasMessageContaining("rejecting")
		reports.calls.gate.complete(Unit)
		assertThat(holders.awaitAll()).containsExactly("1", "2")
		assertThat(reports.rejecting("4")).isEqualTo("4")
	}

	@Test
	fun failureReleases() = test(EmptyCoroutineContext) {
		reports.calls.gate.complete(Unit)
		repeat(2) {
			assertThat(failure { reports.failing() }).isInstanceOf(IllegalStateException::class.java)
				.hasMessage("no report")
		}
		assertFree("failing")
	}

	@Test
	fun functionThatDoesNotSuspendReleases() = test(EmptyCoroutineContext) {
		repeat(3) { assertThat(reports.immediate("now")).isEqualTo("now") }
		assertFree("immediate")
	}

	@Test
	fun functionWithoutAResultHolds() = test {
		val holder = launch { reports.nothing() }
		await().until { reports.calls.running() == 1 }
		assertThat(used("nothing")).isEqualTo(1)
		reports.calls.gate.complete(Unit)
		holder.join()
		assertFree("nothing")
	}

	@Test
	fun cancellationWhileHoldingReleases() = test {
		val holder = launch { reports.rejecting("1") }
		await().until { reports.calls.running() == 1 }
		holder.cancelAndJoin()
		assertFree("rejecting")
		await().until { reports.calls.running() == 0 }
	}

	@Test
	fun cancellationWhileWaitingLeavesTheLine() = test {
		val holder = async { reports.ship("pencil") }
		await().until { reports.calls.running() == 1 }
		val waiter = launch { reports.ship("pencil") }
		await().until { waiting("orders", "pencil") == 1 }
		waiter.cancelAndJoin()
		await().until { waiting("orders", "pencil") == 0 }
		reports.calls.gate.complete(Unit)
		assertThat(holder.await()).isEqualTo("pencil")
		assertFree("orders", "pencil")
		assertThat(reports.calls.begun()).isEqualTo(1)
	}

	@Test
	fun skippedCallHasAnEmptyResult() = test {
		val holder = async { reports.dropped() }
		await().until { reports.calls.running() == 1 }
		assertThat(reports.dropped()).isEmpty()
		reports.calls.gate.complete(Unit)
		assertThat(holder.await()).containsExactly("report")
	}

	@Test
	fun fallbackMaySuspend() = test {
		val holder = async { reports.suspending("report") }
		await().until { reports.calls.running() == 1 }
		assertThat(reports.suspending("other")).isEqualTo("other later, suspending")
		reports.calls.gate.complete(Unit)
		assertThat(holder.await()).isEqualTo("report")
	}

	@Test
	fun fallbackNeedNotSuspend() = test {
		val holder = async { reports.plain("report") }
		await().until { reports.calls.running() == 1 }
		assertThat(reports.plain("other")).isEqualTo("other now")
		reports.calls.gate.complete(Unit)
		assertThat(holder.await()).isEqualTo("report")
	}

	@Test
	fun rateLimitsCalls() = test(EmptyCoroutineContext) {
		assertThat(reports.rated()).isEqualTo("rated")
		assertThat(failure { reports.rated() }).isInstanceOf(ThrottledException::class.java)
	}

	@Test
	fun futureHoldsUntilItIsComplete() {
		val result = this.reports.future()
		assertThat(used("futures")).isEqualTo(1)
		this.reports.future.complete("report")
		assertThat(result.get()).isEqualTo("report")
		assertFree("futures")
	}

	@Test
	fun flowHoldsFromItsCollectionToItsEnd() = test {
		val flow = reports.lines()
		assertFree("lines")
		repeat(2) {
			reports.calls.reset()
			val lines = async { flow.toList() }
			await().until { reports.calls.running() == 1 }
			assertThat(used("lines")).isEqualTo(1)
			assertThat(failure { reports.lines().toList() })
				.isInstanceOf(ThrottledException::class.java)
			reports.calls.gate.complete(Unit)
			assertThat(lines.await()).containsExactly("first", "last")
			assertFree("lines")
		}
	}

	@Test
	fun flowThatIsNotCollectedToItsEndReleases() = test {
		assertThat(reports.lines().first()).isEqualTo("first")
		await().until { used("lines") == 0 }
	}

	@Test
	fun flowWhoseCollectorIsCancelledReleases() = test {
		val lines = launch { reports.lines().toList() }
		await().until { reports.calls.running() == 1 }
		lines.cancelAndJoin()
		await().until { used("lines") == 0 && reports.calls.running() == 0 }
	}

	@Test
	fun flowThatFailsReleases() = test {
		reports.calls.gate.completeExceptionally(IllegalStateException("no line"))
		assertThat(failure { reports.lines().toList() }).hasMessageContaining("no line")
		assertFree("lines")
	}

	@Test
	fun flowsWaitInLine() = test {
		val results: List<Deferred<List<String>>> = (1..3).map { async { reports.waitingLines().toList() } }
		await().until { reports.calls.running() == 1 && waiting("waitingLines") == 2 }
		reports.calls.gate.complete(Unit)
		assertThat(results.awaitAll()).hasSize(3).containsOnly(listOf("line"))
		assertThat(reports.calls.most()).isEqualTo(1)
	}

	@Test
	fun flowOfASuspendFunctionHolds() = test {
		val flow: Flow<String> = reports.suspendingLines()
		val lines = async { flow.toList() }
		await().until { reports.calls.running() == 1 }
		assertThat(used("suspendingLines")).isEqualTo(1)
		reports.calls.gate.complete(Unit)
		assertThat(lines.await()).containsExactly("line")
		assertFree("suspendingLines")
	}

	@Test
	fun fallbackMayReturnAFlow() = test {
		val lines = async { reports.otherLines().toList() }
		await().until { reports.calls.running() == 1 }
		assertThat(reports.otherLines().toList()).containsExactly("none")
		reports.calls.gate.complete(Unit)
		assertThat(lines.await()).containsExactly("line")
	}

	/** A call that is not rejected, and waits for ever, fails the test. */
	private fun test(context: CoroutineContext = Dispatchers.Default, body: suspend CoroutineScope.() -> Unit) {
		runBlocking(context) { withTimeout(60_000, body) }
	}

	private suspend fun failure(call: suspend () -> Any?): Throwable? = runCatching { call() }.exceptionOrNull()

	private fun used(limit: String, key: String = "") = state(limit, key).used()

	private fun waiting(limit: String, key: String = "") = state(limit, key).waiting()

	private fun state(limit: String, key: String) = this.manager.find(limit).orElseThrow().state(key)

	private fun assertFree(limit: String, key: String = "") {
		assertThat(used(limit, key)).isZero()
		assertThat(waiting(limit, key)).isZero()
	}

}
