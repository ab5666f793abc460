package dev.sluice.websocket.stomp.cluster;

import java.time.Duration;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class PublicationFailuresTests {

	private final SettableClock clock = new SettableClock();

	private final PublicationFailures failures = new PublicationFailures(this.clock);

	@Test
	void theFirstIsToldAtOnceAndTheOthersOnceAMinute(CapturedOutput output) {
		fail(1000);
		assertThat(count(output, "was rejected")).isEqualTo(1);
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(count(output, "rejected in the last minute: 999")).isEqualTo(1);
		fail(1);
		assertThat(count(output, "was rejected")).isEqualTo(2);
		this.clock.advance(Duration.ofMinutes(2));
		assertThat(count(output, "in the last minute: ")).isEqualTo(1);
	}

	private void fail(int times) {
		for (int i = 0; i < times; i++) {
			this.failures.failed(new IllegalStateException("expected"));
		}
	}

	private static int count(CapturedOutput output, String text) {
		return output.getAll().split(text, -1).length - 1;
	}

}
