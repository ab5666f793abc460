package dev.sluice.aop.internal.result;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

import dev.sluice.annotation.InvalidThrottledMethodException;
import dev.sluice.aop.spi.DeferredResults;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Methods as the Kotlin compiler writes suspend functions. */
class SuspendFunctionTests {

	private final DeclaredResults types = new DeclaredResults(DeferredResults.NONE);

	@Test
	void suspendFunctionThatHoldsPermitsIsRejected() throws NoSuchMethodException {
		Method function = function();
		assertThatThrownBy(() -> this.types.of(function, true)).isInstanceOf(InvalidThrottledMethodException.class)
			.hasMessageContaining("has a semaphore or mutex, but the end of a suspend function cannot be detected");
	}

	@Test
	void suspendFunctionMayHaveARate() throws NoSuchMethodException {
		assertThat(this.types.of(function(), false)).isInstanceOf(PlainResult.class);
	}

	private static Method function() throws NoSuchMethodException {
		Class<?> continuation = new ByteBuddy().makeInterface()
			.name("kotlin.coroutines.Continuation")
			.make()
			.load(SuspendFunctionTests.class.getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
			.getLoaded();
		return new ByteBuddy().subclass(Object.class)
			.name("dev.sluice.example.Reports")
			.defineMethod("report", Object.class, Modifier.PUBLIC)
			.withParameters(String.class, continuation)
			.intercept(FixedValue.nullValue())
			.make()
			.load(continuation.getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
			.getLoaded()
			.getMethod("report", String.class, continuation);
	}

}
