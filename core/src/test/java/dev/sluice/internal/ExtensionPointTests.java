package dev.sluice.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ExtensionPointTests {

	private static final Logger logger = Logger.getLogger(ExtensionPoint.class.getName());

	private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);

	private final ExtensionPoint point = new ExtensionPoint("Recipe", "the meal is served", this.nanos::get);

	private final List<LogRecord> log = new ArrayList<>();

	private final Handler handler = new Handler() {

		@Override
		public void publish(LogRecord line) {
			ExtensionPointTests.this.log.add(line);
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	};

	@BeforeEach
	void listen() {
		logger.addHandler(this.handler);
		logger.setUseParentHandlers(false);
	}

	@AfterEach
	void leave() {
		logger.removeHandler(this.handler);
		logger.setUseParentHandlers(true);
	}

	@Test
	void failureIsCountedAndLoggedWithTheClass() {
		Throwable failure = new AssertionError("burnt");

		this.point.run(this, () -> {
			throw failure;
		});

		assertThat(this.point.failures()).isOne();
		assertThat(this.log).singleElement().satisfies((line) -> {
			assertThat(line.getMessage()).contains("Recipe", getClass().getName(), "the meal is served");
			assertThat(line.getThrown()).isSameAs(failure);
		});
	}

	@Test
	void failuresOfAMinuteAreLoggedOnceWithTheirNumber() {
		fail(3);
		assertThat(this.log).hasSize(1);

		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(59));
		fail(1);
		assertThat(this.log).hasSize(1);

		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
		fail(1);
		assertThat(this.log).hasSize(2);
		assertThat(this.log.get(1).getMessage()).contains("(4 failures");
		assertThat(this.point.failures()).isEqualTo(5);
	}

	@Test
	void resultOfAnExtensionIsReturned() {
		assertThat(this.point.<@Nullable String>get(this, () -> "soup", null)).isEqualTo("soup");
		assertThat(this.point.require(this, () -> "soup")).isEqualTo("soup");
		assertThat(this.point.failures()).isZero();
	}

	@Test
	void otherValueStandsInForAFailureAndForNull() {
		assertThat(this.point.get(this, failing(new AssertionError()), "bread")).isEqualTo("bread");
		assertThat(this.point.get(this, () -> null, "bread")).isEqualTo("bread");
		assertThat(this.point.failures()).isEqualTo(2);
	}

	@Test
	void requiredResultFailsWithWhatWasThrown() {
		Exception failure = new Exception("checked");

		assertThatExceptionOfType(Exception.class).isThrownBy(() -> this.point.require(this, failing(failure)))
			.isSameAs(failure);
		assertThatIllegalStateException().isThrownBy(() -> this.point.require(this, () -> null))
			.withMessageContainingAll("Recipe", getClass().getName());
		assertThat(this.point.failures()).isEqualTo(2);
	}

	@Test
	void errorOfTheVirtualMachineIsCountedAndPassedOn() {
		StackOverflowError fatal = new StackOverflowError();

		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> this.point.run(this, () -> {
			throw fatal;
		})).isSameAs(fatal);
		assertThatExceptionOfType(StackOverflowError.class)
			.isThrownBy(() -> this.point.get(this, failing(fatal), "bread"))
			.isSameAs(fatal);
		assertThat(this.point.failures()).isEqualTo(2);
	}

	@Test
	void interruptOfAnExtensionIsKept() {
		this.point.run(this, () -> {
			throw new InterruptedException();
		});

		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void logThatFailsChangesNothing() {
		logger.setFilter((line) -> {
			throw new IllegalStateException("log");
		});
		try {
			fail(1);
		}
		finally {
			logger.setFilter(null);
		}

		assertThat(this.point.failures()).isPositive();
	}

	private void fail(int times) {
		for (int i = 0; i < times; i++) {
			this.point.run(this, () -> {
				throw new IllegalStateException("burnt");
			});
		}
	}

	private static Callable<@Nullable String> failing(Throwable failure) {
		return () -> {
			if (failure instanceof Error error) {
				throw error;
			}
			throw (Exception) failure;
		};
	}

}
