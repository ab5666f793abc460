package dev.sluice.websocket.message;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.sluice.test.SettableClock;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class FailureLogTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final SettableClock clock = new SettableClock();

	private final FailureLog log = new FailureLog(LogFactory.getLog(FailureLogTests.class), this.clock,
			"Failed to handle");

	@Test
	void firstFailureOfAKindHasItsStackTraceAndTheOthersAreCounted(CapturedOutput output) {
		fail(1000, new IllegalStateException("expected"));
		assertThat(errors(output)).hasSize(1).first().asString().endsWith("Failed to handle message 0");
		assertThat(output.getAll().lines().filter((line) -> line.startsWith("\tat "))).isNotEmpty();
		this.clock.advance(MINUTE);
		assertThat(errors(output)).hasSize(2)
			.last()
			.asString()
			.contains("Failed to handle 999 more messages in the last minute: java.lang.IllegalStateException at ");
		this.clock.advance(MINUTE.multipliedBy(2));
		assertThat(errors(output)).hasSize(2);
		fail(1, new IllegalStateException("expected"));
		assertThat(errors(output)).hasSize(3);
	}

	@Test
	void kindsAreTheClassAndThePlaceOfTheFailure(CapturedOutput output) {
		fail(2, new IllegalStateException("one"));
		fail(2, new IllegalStateException("another place"));
		fail(2, new UnsupportedOperationException("another class"));
		assertThat(errors(output)).hasSize(3);
		this.clock.advance(MINUTE);
		assertThat(errors(output)).hasSize(6);
	}

	@Test
	void failuresOfManyKindsDoNotFillTheLog(CapturedOutput output) {
		IntStream.range(0, 10_000).forEach((number) -> {
			RuntimeException failure = new RuntimeException("expected");
			failure
				.setStackTrace(new StackTraceElement[] { new StackTraceElement("Type" + number, "method", null, 1) });
			fail(1, failure);
		});
		assertThat(errors(output)).hasSize(101);
		this.clock.advance(MINUTE);
		assertThat(errors(output)).hasSize(102).last().asString().contains("9899 more").contains("of other kinds");
	}

	@Test
	void failureWithoutAStackTraceHasAKind(CapturedOutput output) {
		RuntimeException failure = new RuntimeException("expected", null, false, false) {
		};
		fail(3, failure);
		this.clock.advance(MINUTE);
		assertThat(errors(output)).hasSize(2);
	}

	private void fail(int times, Throwable failure) {
		IntStream.range(0, times).forEach((number) -> this.log.error(() -> "message " + number, failure));
	}

	private static List<String> errors(CapturedOutput output) {
		return output.getAll().lines().filter((line) -> line.contains(" ERROR ")).toList();
	}

}
