package dev.sluice.websocket.message;

import java.time.Duration;

import dev.sluice.test.SettableClock;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class BoundedLogTests {

	private final SettableClock clock = new SettableClock();

	private final BoundedLog log = new BoundedLog(LogFactory.getLog(BoundedLogTests.class), this.clock, "It failed");

	@Test
	void firstEventIsLoggedAtOnceAndTheOthersOnceAMinute(CapturedOutput output) {
		fail(1000);
		assertThat(count(output, "It failed")).isEqualTo(1);
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(count(output, "999 more")).isEqualTo(1);
		fail(1);
		assertThat(count(output, "It failed")).isEqualTo(3);
		this.clock.advance(Duration.ofMinutes(2));
		assertThat(count(output, "It failed")).isEqualTo(3);
	}

	@Test
	void textOfAClientNeitherEndsTheLineNorFillsTheLogNorHasAStackTrace(CapturedOutput output) {
		this.log.warn("\r\nERROR forged" + "x".repeat(100_000), new IllegalStateException("secret"));

		assertThat(output.getAll().lines()).filteredOn((line) -> !line.isEmpty()).hasSize(1);
		assertThat(output.getAll()).hasSizeLessThan(600).contains("IllegalStateException").doesNotContain("secret");
	}

	@Test
	void eventsWithoutExceptionAreLoggedAlike(CapturedOutput output) {
		for (int i = 0; i < 10; i++) {
			this.log.warn("at\n" + i);
		}
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(output.getAll().lines()).filteredOn((line) -> line.contains("WARN"))
			.satisfiesExactly((first) -> assertThat(first).contains("0; the number of others follows in a minute"),
					(more) -> assertThat(more).contains("9 more"));
	}

	private void fail(int times) {
		for (int i = 0; i < times; i++) {
			this.log.warn("here", new IllegalStateException("expected"));
		}
	}

	private static int count(CapturedOutput output, String text) {
		return output.getAll().split(text, -1).length - 1;
	}

}
