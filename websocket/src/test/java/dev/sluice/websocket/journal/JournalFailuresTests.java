package dev.sluice.websocket.journal;

import java.io.IOException;
import java.time.Duration;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class JournalFailuresTests {

	private final SettableClock clock = new SettableClock();

	private final JournalFailures failures = new JournalFailures(this.clock);

	@Test
	void failuresInARowAreOneWarning(CapturedOutput output) {
		for (int i = 0; i < 1_000; i++) {
			this.failures.failed(new IOException("expected"));
			this.clock.advance(Duration.ofMinutes(1));
		}
		this.failures.succeeded();
		assertThat(count(output, "has failed")).isEqualTo(1);
		assertThat(count(output, "writes again (failed attempts: 1000)")).isEqualTo(1);
	}

	@Test
	void aJournalThatFailsAgainAndAgainIsOneWarningAMinute(CapturedOutput output) {
		for (int i = 0; i < 1_000; i++) {
			this.failures.failed(new IOException("expected"));
			this.failures.succeeded();
		}
		assertThat(count(output, "has failed")).isEqualTo(1);
		assertThat(count(output, "writes again")).isEqualTo(1);
		this.clock.advance(Duration.ofMinutes(1));
		this.failures.failed(new IOException("expected"));
		assertThat(count(output, "has failed")).isEqualTo(2);
	}

	@Test
	void oneFailureIsCountedAsAllOthersAre(CapturedOutput output) {
		this.failures.failed(new IOException("expected"));
		this.failures.succeeded();
		assertThat(count(output, "The journal of sent messages writes again (failed attempts: 1)")).isEqualTo(1);
	}

	private static int count(CapturedOutput output, String text) {
		return StringUtils.countOccurrencesOf(output.getAll(), text);
	}

}
