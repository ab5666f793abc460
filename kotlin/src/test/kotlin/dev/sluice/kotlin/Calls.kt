package dev.sluice.kotlin

import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred

/** The calls inside limited functions, which end when a test lets them. */
class Calls {

	private val running = AtomicInteger()

	private val most = AtomicInteger()

	private val begun = AtomicInteger()

	@Volatile
	var gate = CompletableDeferred<Unit>()

	fun running() = this.running.get()

	/** The most calls that ran at once. */
	fun most() = this.most.get()

	fun begun() = this.begun.get()

	suspend fun <T> call(result: suspend () -> T): T {
		this.begun.incrementAndGet()
		val now = this.running.incrementAndGet()
		this.most.accumulateAndGet(now, Math::max)
		try {
			this.gate.await()
			return result()
		}
		finally {
			this.running.decrementAndGet()
		}
	}

	fun reset() {
		this.gate = CompletableDeferred()
		this.most.set(0)
		this.begun.set(0)
	}

}
