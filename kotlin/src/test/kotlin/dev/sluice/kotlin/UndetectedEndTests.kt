package dev.sluice.kotlin

import dev.sluice.annotation.Semaphore
import dev.sluice.autoconfigure.annotation.SluiceAnnotationsAutoConfiguration
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration
import java.util.concurrent.CompletableFuture
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.flow.MutableSharedFlow
import kotlinx.coroutines.flow.SharedFlow
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner

/** Functions whose end nobody sees stop the start. */
class UndetectedEndTests {

	private val contexts = ApplicationContextRunner().withConfiguration(AutoConfigurations
		.of(SluiceThrottlingAutoConfiguration::class.java, SluiceAnnotationsAutoConfiguration::class.java))

	@ParameterizedTest
	@ValueSource(classes = [Jobs::class, Results::class, Channels::class, Shared::class, Later::class])
	fun stopsTheStart(type: Class<*>) {
		this.contexts.withBean(type).run { context ->
			assertThat(context.startupFailure).hasStackTraceContaining(type.simpleName + ".work")
				.hasStackTraceContaining("has a semaphore or mutex, but the end of the")
				.hasStackTraceContaining("that it returns cannot be detected")
		}
	}

	open class Jobs {

		@Semaphore("work", limit = 1)
		open fun work(): Job = Job()

	}

	open class Results {

		@Semaphore("work", limit = 1)
		open fun work(): Deferred<String> = CompletableDeferred()

	}

	open class Channels {

		@Semaphore("work", limit = 1)
		open fun work(): ReceiveChannel<String> = Channel()

	}

	open class Shared {

		@Semaphore("work", limit = 1)
		open fun work(): SharedFlow<String> = MutableSharedFlow()

	}

	open class Later {

		@Semaphore("work", limit = 1)
		open suspend fun work(): CompletableFuture<String> = CompletableFuture()

	}

}
